// The first part of a backup: of what it is, and when it was made.
import type { HubConfig } from '../config/config.ts';
import { ConfigRefused } from '../config/refused.ts';
import type { HubOrigin } from '../data-directory.ts';

export const ABOUT = 'backup.json';

export interface BackupAbout {
  readonly version: 1;
  /** RFC 3339. Whatever changed later is not in it. */
  readonly at: string;
  readonly made: HubOrigin;
  readonly config: HubConfig;
}

/** Throws ConfigRefused for a backup of a later program. */
export function aboutIn(text: string): BackupAbout {
  const about = JSON.parse(text) as Partial<BackupAbout>;
  if (about.version !== 1 || about.at === undefined || about.made === undefined || about.config === undefined)
    throw new ConfigRefused([
      `The backup is of version ${String(about.version)}, which this program does not know. Use a newer one.`,
    ]);
  return about as BackupAbout;
}

/** For messages: when a hub was as it is now that it was restored. */
export function asAt(at: string | null): string {
  return at === null ? 'as its etcd was when that was saved' : `as it was at ${minuteOf(at)}`;
}

function minuteOf(at: string): string {
  return `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;
}
