// What is in the files of a hub or a site, for tests that look for secrets in them.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** All files below a directory. */
export function filesIn(dir: string): string[] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .map((name) => join(dir, name))
    .filter((file) => statSync(file).isFile());
}

/** The files of a hub but those of etcd, which has what is encrypted. */
export function filesOfHub(dir: string): string[] {
  return filesIn(dir).filter((file) => !file.includes('/data/etcd'));
}
