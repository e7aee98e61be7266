// What the program in a Pod answers to every request: a sentence for people, the same facts in headers. Pure.
//
// No image is pulled on the local stack. Every Pod "runs" this one program, whatever image, command and args
// it names.
export interface PodThatAnswers {
  /** The Pod's name. */
  readonly name: string;
  readonly revision: string;
  readonly image: string;
}

export interface StandInAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export function answerOf({ name, revision, image }: PodThatAnswers, site: string): StandInAnswer {
  return {
    status: 200,
    headers: {
      'stand-in-site': site,
      'stand-in-revision': revision,
      'stand-in-pod': name,
      'stand-in-image': image,
    },
    body: `Hello from ${site}! I am the Pod ${name} of the revision ${revision}, image ${image}.\n`,
  };
}
