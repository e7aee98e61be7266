// What keeps a person from the logs and Pods of a Capp, in one sentence and an exit code.
import { ApiError } from '../../../kube/failure.ts';
import type { Key } from '../../../kube/resource.ts';
import { CommandFailure } from '../../exit.ts';
import { printable } from '../../show/printable.ts';
import type { ConnectedHub } from '../connection/hub.ts';

function none({ namespace, name }: Key): string {
  return `This hub has no reader, by which logs, pods and top look at what runs on sites: whoever runs the hub can install it (docs/logs.md). Everything else works. With a kubeconfig of the site itself: kubectl -n ${namespace} logs -c user-container -l serving.knative.dev/service=${name}.`;
}
const SILENT =
  "The hub's reader does not answer: whoever runs the hub should look at the cappstan-reader Pods. Everything else works.";

const OURS = /^(?:There is no Capp|Capp |No direct way|User |The hub does not say)/;

/**
 * Whether it keeps this one Capp alone from being told of: it is not placed, is gone, has to wait, or its
 * sites cannot be reached. A missing right, and a reader that is missing or silent, keep all.
 */
export function isOfOneCapp(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  if (error.code === 429) return true;
  return (error.code === 404 || error.code === 503) && OURS.test(error.said ?? '');
}

/** Null for what is none of the reader's. */
export function reachFailure(
  error: unknown,
  key: Key,
  { as, context }: Pick<ConnectedHub, 'as' | 'context'>,
): CommandFailure | null {
  if (!(error instanceof ApiError)) return null;
  const { namespace, name } = key;
  const said = printable(error.said ?? '');
  const isOurs = OURS.test(said);
  if (error.code === 404) return new CommandFailure('notFound', isOurs ? said : none(key));
  if (error.code === 503)
    return isOurs ? new CommandFailure('failed', said) : new CommandFailure('failed', SILENT);
  if (error.code === 429)
    return new CommandFailure(
      'failed',
      `The log of Capp ${name} is not told, since as many are being read as may be at the same time (docs/logs.md): end another, or name fewer Capps.`,
    );
  if (error.code !== 403) return null;
  const who = as === null ? `You (context ${context})` : as;
  return new CommandFailure(
    'forbidden',
    `${who} may not read the logs and Pods of Capp ${name} in namespace ${namespace}: its admin can bind the role "view".`,
  );
}
