// The fields of a configuration of which nothing is known: each value is read, or is a problem to report.
import { isQuantity } from '../../crds/kubernetes/quantity.ts';
import { isReadable } from './pattern.ts';

const DNS_NAME = /^[a-z0-9_]([-a-z0-9_]*[a-z0-9_])?(\.[a-z0-9_]([-a-z0-9_]*[a-z0-9_])?)*\.?$/i;

/** The fields of an object of which nothing is known. */
export class UnknownFields {
  readonly #given: Readonly<Record<string, unknown>>;
  readonly #path: string;
  readonly #problems: string[];

  constructor(given: unknown, path: string, problems: string[]) {
    const isObject = typeof given === 'object' && given !== null && !Array.isArray(given);
    if (!isObject && given !== undefined && given !== null)
      problems.push(`${path} has no effect: it must be an object.`);
    this.#given = isObject ? (given as Record<string, unknown>) : {};
    this.#path = path;
    this.#problems = problems;
  }

  has(name: string): boolean {
    return this.#given[name] !== undefined && this.#given[name] !== null;
  }

  inside(name: string): UnknownFields {
    return new UnknownFields(this.#given[name], `${this.#path}.${name}`, this.#problems);
  }

  item(name: string, index: number, given: unknown): UnknownFields {
    return new UnknownFields(given, `${this.#path}.${name}[${index}]`, this.#problems);
  }

  report(name: string, what: string): void {
    this.#problems.push(`${this.#path}.${name} ${what}.`);
  }

  /** Reports the fields that are none of these, such as those in other letters. */
  only(names: readonly string[]): void {
    const others = Object.keys(this.#given).filter((name) => !names.includes(name));
    for (const name of others.slice(0, 10))
      this.report(name.slice(0, 63), `has no effect: there is only ${names.join(', ')}`);
  }

  /** Undefined when it is empty or absent. Of what was made of a file the last line ends with a break. */
  text(name: string): string | undefined {
    const value = this.#given[name];
    if (!this.has(name)) return undefined;
    if (typeof value === 'string') return value.trim() === '' ? undefined : value.trim();
    this.report(name, 'has no effect: it must be text');
    return undefined;
  }

  /** A name of DNS, as it is written. */
  dnsName(name: string): string | undefined {
    const value = this.text(name);
    if (value === undefined || DNS_NAME.test(value)) return value;
    this.report(name, 'has no effect: it must be a name of DNS such as apps.example.com');
    return undefined;
  }

  number(name: string, least: number): number | null {
    return this.#numeric(name, `a number of at least ${least}`, (value) => value >= least);
  }

  whole(name: string, least: number): number | null {
    const fits = (value: number): boolean => Number.isSafeInteger(value) && value >= least;
    return this.#numeric(name, `a whole number of at least ${least}`, fits);
  }

  /** As Kubernetes writes cpu and memory. */
  quantity(name: string): string | number | undefined {
    const value = this.#given[name];
    if (!this.has(name) || value === '') return undefined;
    if ((typeof value === 'string' || typeof value === 'number') && isQuantity(value)) return value;
    this.report(name, 'has no effect: it must be a quantity such as 100m or 128Mi');
    return undefined;
  }

  list(name: string): readonly unknown[] {
    const value = this.#given[name];
    if (Array.isArray(value)) return value;
    if (this.has(name)) this.report(name, 'has no effect: it must be a list');
    return [];
  }

  patterns(name: string): readonly string[] {
    return this.list(name).filter(
      (one, index): one is string => typeof one === 'string' && this.isPattern(one, `${name}[${index}]`),
    );
  }

  /** An empty one means nothing; one that cannot be read is a problem. */
  isPattern(text: string, name: string): boolean {
    const isOne = isReadable(text);
    if (!isOne) this.report(name, 'has no effect: it is no regular expression that Go can read. Correct it');
    return isOne && text !== '';
  }

  #numeric(name: string, wanted: string, fits: (value: number) => boolean): number | null {
    const given = this.#given[name];
    if (!this.has(name) || given === '') return null;
    const value = typeof given === 'string' && given.trim() !== '' ? Number(given) : given;
    if (typeof value === 'number' && Number.isFinite(value) && fits(value)) return value;
    this.report(name, `has no effect: it must be ${wanted}`);
    return null;
  }
}
