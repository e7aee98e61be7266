// Each life in which one write, or two that follow one another, go wrong.
import type { FaultKind } from './faults.ts';
import { canBe, FAULT_KINDS } from './faults.ts';
import { differenceOf } from './end.ts';
import type { NumberedWrite } from './every-write.ts';
import { live, type Life } from './live.ts';
import { TALES, type Tale } from './tales.ts';

/** One life: `<tale>/<number of the write>/<fault>`, with `+1` behind the number if the next goes wrong too. */
export interface Case {
  readonly name: string;
  readonly tale: string;
  readonly at: readonly number[];
  readonly kind: FaultKind;
}

const CASE = /^(?<tale>[a-z-]+)\/(?<first>\d+)(?<more>\+1)?\/(?<kind>[a-z-]+)$/;

/** Throws when the name is not one of a life. */
export function caseOf(name: string): Case {
  const { tale = '', first = '', more, kind = '' } = CASE.exec(name)?.groups ?? {};
  if (TALES[tale] === undefined || !FAULT_KINDS.some((one) => one === kind))
    throw new Error(`${name} is no life: <${Object.keys(TALES).join('|')}>/<number>/<${FAULT_KINDS.join('|')}>`);
  const at = more === undefined ? [Number(first)] : [Number(first), Number(first) + 1];
  return { name, tale, at, kind: kind as FaultKind };
}

/** Those of one tale, whose writes are known. */
export function casesOf(
  tale: string,
  writes: readonly NumberedWrite[],
  { pairs = false }: { readonly pairs?: boolean } = {},
): readonly Case[] {
  return writes.flatMap(({ where }, number) =>
    FAULT_KINDS.filter((kind) => canBe(kind, where)).flatMap((kind) => {
      const single = caseOf(`${tale}/${number}/${kind}`);
      const next = writes[number + 1];
      const isPair = pairs && next !== undefined && canBe(kind, next.where);
      return isPair ? [single, caseOf(`${tale}/${number}+1/${kind}`)] : [single];
    }),
  );
}

/** Null: every rule held, and the end was as it is without a fault. */
export async function breachIn(
  { tale, at, kind }: Case,
  faultless: Life,
  story: ((line: string) => void) | null = null,
): Promise<string | null> {
  const { breach, end } = await live(taleOf(tale), { at, kind }, story);
  return breach ?? differenceOf(faultless.end, end);
}

export function taleOf(name: string): Tale {
  const tale = TALES[name];
  if (tale === undefined) throw new Error(`There is no tale ${name}`);
  return tale;
}
