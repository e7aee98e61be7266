// What to say of a reason: what it means, what helps, and a command that helps.

export interface Advice {
  /** One sentence in words, which the hub's own message makes exact. */
  readonly words: string;
  /** One sentence: what helps, or that nothing has to be done. */
  readonly remedy: string;
  /** For a shell; `{namespace}`, `{name}` and `{site}` stand for the Capp's. */
  readonly command: string;
}

export interface AdvisedObject {
  readonly namespace: string;
  readonly name: string;
  /** Where it serves, or is to serve; null while that is not known. */
  readonly site: string | null;
}

/** The command for one Capp. */
export function commandFor({ command }: Advice, { namespace, name, site }: AdvisedObject): string {
  return command
    .replaceAll('{namespace}', namespace)
    .replaceAll('{name}', name)
    .replaceAll('{site}', site ?? '<site>');
}

export const NOTHING = 'Nothing has to be done.';
export const GOES_ON = 'Nothing has to be done: it goes on by itself.';

export const LOOK = 'kubectl -n {namespace} describe capp {name}';
export const EDIT = 'kubectl -n {namespace} edit capp {name}';
export const WATCH = 'kubectl capp watch {name} -n {namespace}';
export const WAIT = 'kubectl capp wait {name} -n {namespace}';
export const MOVE = 'kubectl capp move {name} -n {namespace}';
export const SITES = 'kubectl capp sites';
export const WORK = 'kubectl -n {site} describe manifestwork';
