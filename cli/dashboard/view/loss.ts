// What would become of what is on a site if it died, as `kubectl capp plan --lost` says it.
import { countsOf, ESTIMATE, nothingWith, whenOf, type ShownOutlook } from '../../show/suppose.ts';

/** So many are named. */
const MOST_NAMED = 50;

export interface LossView {
  readonly says: string;
  readonly rows: readonly LossRow[];
  /** How many more there are. */
  readonly more: number;
  /** What the answer rests on, and what it leaves out. */
  readonly notes: readonly string[];
}

export interface LossRow extends Pick<ShownOutlook, 'name' | 'does' | 'to' | 'isEstimate' | 'message'> {
  /** Of the page. */
  readonly address: string;
  /** Empty for what stays. */
  readonly when: string;
}

/** `unread` are the kinds that the person may not read. */
export function lossView(
  site: string,
  { outlooks, unread }: { readonly outlooks: readonly ShownOutlook[]; readonly unread: readonly string[] },
): LossView {
  const what = `the loss of ${site}`;
  const left =
    unread.length === 0
      ? []
      : [`You may not read ${unread.join(', ')}, so the answer leaves out what they say.`];
  return {
    says:
      outlooks.length === 0
        ? nothingWith(what)
        : `With ${what}, ${countsOf(outlooks)}. Nothing has been changed.`,
    rows: outlooks.slice(0, MOST_NAMED).map((one) => ({
      name: one.name,
      does: one.does,
      to: one.to,
      isEstimate: one.isEstimate,
      message: one.message,
      when: whenOf(one),
      address: one.kind === 'Capp' ? `/apps/${one.name}` : `/rollouts/${one.kind}/${one.name}`,
    })),
    more: Math.max(0, outlooks.length - MOST_NAMED),
    notes: [...(outlooks.some(({ isEstimate }) => isEstimate) ? [ESTIMATE] : []), ...left],
  };
}
