// Each life in which one write, or two that follow one another, go wrong.
import type { FaultKind } from './faults.ts';
import { canBe, FAULT_KINDS, isFinal } from './faults.ts';
import { differenceOf, untoldDifference } from './end.ts';
import type { NumberedWrite } from './every-write.ts';
import { live, type Life } from './live.ts';
import { TALES, type Tale } from './tales.ts';

/**
 * One life: `<tale>/<number of the write>/<fault>`, with `+1` behind the number if the next goes wrong too.
 */
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
    throw new Error(
      `${name} is no life: <${Object.keys(TALES).join('|')}>/<number>/<${FAULT_KINDS.join('|')}>`,
    );
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

/**
 * A part of them, enumerated as well: of the ways in which each write can go wrong two, and others for the
 * next write.
 */
export function partOf(cases: readonly Case[]): readonly Case[] {
  const numbers = [...new Set(cases.map(({ at }) => at[0]))];
  return numbers.flatMap((number, index) => {
    const its = cases.filter(({ at }) => at[0] === number && at.length === 1);
    const [one, other] = [index, index + Math.floor(its.length / 2)].map((count) => its[count % its.length]);
    return [one, one === other ? undefined : other].filter((known) => known !== undefined);
  });
}

/** Null: every rule held, and the end was as it is without a fault. */
export async function breachIn(
  { tale, at, kind }: Case,
  faultless: Life,
  story: ((line: string) => void) | null = null,
): Promise<string | null> {
  const { breach, end } = await live(taleOf(tale), { at, kind }, story);
  return breach ?? (isFinal(kind) ? untoldDifference : differenceOf)(faultless.end, end);
}

export function taleOf(name: string): Tale {
  const tale = TALES[name];
  if (tale === undefined) throw new Error(`There is no tale ${name}`);
  return tale;
}
