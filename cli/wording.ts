// What the program says of a command line that it does not understand, in one sentence with a remedy.

/** Words that people know from kubectl, and what does it here, behind the program's name. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  get: 'list shows Capps, and tree what one has made; kubectl get capp works too',
  describe: 'why <capp> says how one is; kubectl describe capp works too',
  status: 'why <capp> says how one is, and rollout status <set> how far a set is',
  plans: 'plan <site>, or rollout plan <set>',
  approve: 'rollout approve <set>',
  undo: 'rollback <capp>, or rollout undo <set>',
  abort: 'rollout abort <set>',
  retry: 'rollout retry <set>',
  events: 'history <capp> has its events',
  apply: 'kubectl apply does that',
  delete: 'kubectl delete capp <name> does that',
  edit: 'kubectl edit capp <name> does that, and set changes an image or variables',
  restart: 'a new value of a variable starts new Pods: set env <capp> RESTARTED="$(date)"',
};

/** The same behind `rollout`, which is of sets. */
const OF_ROLLOUT: Readonly<Record<string, string>> = {
  describe: 'rollout status <set> says how far a set is',
  restart:
    'a new value of a variable starts new Pods: kubectl edit cappset <set> writes one into its template',
};

/**
 * commander gives a hint on a line of its own, and none where something is missing. `typed` are the words of
 * the command line: what kubectl has behind a word of its own means nothing behind one of ours.
 */
export function sentence(text: string, typed: readonly string[]): string {
  const [, word = ''] = /^unknown command '([^']+)'/.exec(text) ?? [];
  const [first, second] = typed;
  const words = first === word ? ELSEWHERE : first === 'rollout' && second === word ? OF_ROLLOUT : {};
  const known = Object.hasOwn(words, word) ? words[word] : undefined;
  if (known !== undefined) return `unknown command '${word}': ${known}`;
  return text
    .replace(/^(unknown [^\n]+)\n\(Did you mean (.+)\?\)$/, '$1: did you mean $2?')
    .replace(/^(unknown command '[^\n']+')$/, '$1: --help lists the commands')
    .replace(
      /^((?:missing required argument|required option|unknown option|too many arguments) [^\n:]+?)\.?$/,
      '$1: --help says what the command takes',
    );
}
