// Whether a hub tells people what their Capps write, and by which way: pure.
import { named } from './fields.ts';
import type { FileContent } from './file.ts';
import type { Findings } from './refused.ts';
import { isPlain } from './plain-address.ts';

/** As the processes of a stack take it (`local/cappstan/reader.ts`). */
export interface HubReaderConfig {
  readonly userServer: string;
  /** A path. */
  readonly authority: string;
}

/** Null: the reader does not run. */
export function readerOf(
  { userServer, userServerCaFile }: FileContent['reader'],
  { refusals }: Findings,
): HubReaderConfig | null {
  if (userServer === undefined && userServerCaFile === undefined) return null;
  for (const [name, value] of Object.entries({ userServer, userServerCaFile }))
    if (value === undefined)
      refusals.push(
        `${named(`reader.${name}`)} is missing: the reader needs the address of cluster-proxy's user server and its authority. Give both, or neither.`,
      );
  if (userServer !== undefined && !isPlain(new URL(userServer)))
    // What it is may be a password.
    refusals.push(
      `${named('reader.userServer')} must be an https address without user, "?" and "#", such as https://proxy.example:9092: the reader puts a site's name behind it, and shows itself with a token.`,
    );
  return { userServer: userServer ?? '', authority: userServerCaFile ?? '' };
}
