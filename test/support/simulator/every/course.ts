// What each copy was made to be, one after the other: no fault of a single write lets a copy go a longer way.
import { CAPP } from '../../../../crds/capp/capp.ts';
import { MANIFEST_WORK } from '../../../../crds/ocm/ocm.ts';
import type { Write } from '../api/objects.ts';
import { HUB } from '../world/names.ts';
import type { World } from '../world/world.ts';
import { spoken } from './end.ts';

const COPIES: ReadonlySet<string> = new Set([CAPP.plural, MANIFEST_WORK.plural]);

export class Course {
  readonly #ways = new Map<string, string[]>();

  constructor({ server }: World) {
    server.onWrite((write) => this.#wrote(write));
  }

  /** A line for each copy. */
  text(): string {
    const lines = [...this.#ways].map(([copy, way]) => `the way of ${copy}: ${way.join(' → ')}`);
    return lines.toSorted().join('\n');
  }

  #wrote({ plural, by, before, after }: Write): void {
    const { name = '', namespace = '' } = (after ?? before)?.metadata ?? {};
    if (by !== HUB || !COPIES.has(plural)) return;
    const isGone = after === null || after.metadata.deletionTimestamp !== undefined;
    const state = isGone ? 'gone' : spoken(after.spec);
    const way = this.#ways.get(`${plural} ${namespace}/${name}`) ?? [];
    this.#ways.set(`${plural} ${namespace}/${name}`, way.at(-1) === state ? way : [...way, state]);
  }
}
