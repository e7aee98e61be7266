// The certificates of a simulated site: they come soon, late or never, and may be revoked.
import { findingOf, UNCERTIFIED } from './findings.ts';
import type { SiteCopy } from './brought.ts';
import type { World } from '../world/world.ts';

/** How certificates come. */
export type Issuer = 'prompt' | 'late' | 'never';

export class Certificates {
  readonly #world: World;
  readonly #standing: ReadonlyMap<string, SiteCopy>;
  readonly #say: (key: string, copy: SiteCopy) => void;
  #issuer: Issuer = 'prompt';

  constructor(
    world: World,
    standing: ReadonlyMap<string, SiteCopy>,
    say: (key: string, copy: SiteCopy) => void,
  ) {
    this.#world = world;
    this.#standing = standing;
    this.#say = say;
  }

  /** From now on they come so; where none come, some are revoked. */
  come(issuer: Issuer): void {
    this.#issuer = issuer;
    for (const { key, finding } of this.#standing.values()) {
      if (finding.hostname !== undefined) this.askFor(key);
      else if (issuer === 'never' && this.#world.random.chance(0.5)) this.#note(key, false);
    }
  }

  /** Of a copy that is Ready. */
  askFor(key: string): void {
    if (!this.#world.knows('certificates')) return;
    this.#note(key, false);
    if (this.#issuer === 'never') return;
    const [least, most] = { prompt: [5, 8_000], late: [20_000, 900_000] }[this.#issuer] as [number, number];
    this.#world.clock.after(this.#world.between(least, most), () => {
      if (this.#issuer !== 'never') this.#note(key, true);
    });
  }

  #note(key: string, isThere: boolean): void {
    const copy = this.#standing.get(key);
    if (copy === undefined || copy.finding.verdict !== 'Ready') return;
    if ((copy.finding.hostname === undefined) === isThere && copy.certifiedSince !== undefined) return;
    const finding = isThere ? findingOf('Ready', 'Ready', true) : UNCERTIFIED;
    this.#say(key, { ...copy, finding, certifiedSince: this.#world.clock.now });
  }
}
