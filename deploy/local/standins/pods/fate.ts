// What becomes of a container is written in its image's name, since no image is ever pulled here.
//
// | a word in the image's name | the container                                                                                   |
// |----------------------------|-------------------------------------------------------------------------------------------------|
// | `never-pulls`              | waits with ErrImagePull, a second later ImagePullBackOff, for good                              |
// | `crashes` or `fails`       | ends with exit code 1: CrashLoopBackOff, or a failed Pod if its restartPolicy is Never          |
// | anything else              | runs and is ready at once; where it should end (a Job's Pod, an init container) it ends well    |
//
// A word counts whole: `ghcr.io/me/never-pulls:v1` and `app:crashes` do, `failsafe` does not.

export type Fate = 'never-pulls' | 'crashes' | 'runs';

export function fateOf(image: string): Fate {
  const words = /(?:^|[^a-z0-9])(never-pulls|crashes|fails)(?![a-z0-9])/.exec(image);
  if (words === null) return 'runs';
  return words[1] === 'never-pulls' ? 'never-pulls' : 'crashes';
}
