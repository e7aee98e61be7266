// Reads what an agent has measured, before it reaches the hub and again before it is written there.
import type { Figure, MeasuredSite } from '../score/measured.ts';
import { fieldsOf, isWhole } from './fields.ts';

/** The figures of the product, and those that a site's operators may add. */
const MOST = 22;
const NAME = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const LOWEST = -100;
const HIGHEST = 100;

/** Null if it cannot be read: the agent then counts as silent. Figures that are not numbers are left out. */
export function readMeasured(given: unknown): MeasuredSite | null {
  const figures = fieldsOf(given)?.['figures'];
  if (!Array.isArray(figures)) return null;
  const byName = new Map(
    figures.map(figureOf).flatMap((figure) => (figure === null ? [] : [[figure.name, figure] as const])),
  );
  return byName.size === 0 ? null : { figures: [...byName.values()].slice(0, MOST) };
}

function figureOf(given: unknown): Figure | null {
  const { name, value } = fieldsOf(given) ?? {};
  if (typeof name !== 'string' || !NAME.test(name) || !isWhole(value, LOWEST, HIGHEST)) return null;
  return { name, value };
}
