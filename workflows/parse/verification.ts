// Reads what an agent has measured of an app, and what the state of a workflow says of that.
import type { CountedChecks } from '../ports/agent.ts';
import {
  EMPTIES,
  OUTCOMES,
  MOST_KEPT,
  VERDICTS,
  type Figures,
  type Measurement,
} from '../types/verification.ts';
import { fieldsOf, isTime, isWhole, textOf } from './fields.ts';
import { fields, listOf, number, oneOf, text, type MessageShape } from './shapes.ts';

const MOST_CHECKS = 5;
/** More than a check may ask for. */
const MOST_COUNTED = 1_000;
/** Bytes of what a measurement says. */
export const LONGEST_SAYING = 96;
const NAME = /^[a-z0-9]([-a-z0-9]{0,38}[a-z0-9])?$/;

/** Null if it cannot be read: then nothing was measured. */
export function readChecked(given: unknown): CountedChecks | null {
  const figures = fieldsOf(given)?.['figures'];
  if (!Array.isArray(figures) || figures.length > MOST_CHECKS) return null;
  const read = figures.map(readFigures);
  const known = read.filter((one) => one !== null);
  const names = new Set(known.map(({ name }) => name));
  return known.length === read.length && names.size === known.length ? { figures: known } : null;
}

function readFigures(given: unknown): Figures | null {
  const { name, successful, failed, inconclusive, errors, last } = fieldsOf(given) ?? {};
  if (typeof name !== 'string' || !NAME.test(name) || !Array.isArray(last)) return null;
  if (!isCount(successful) || !isCount(failed) || !isCount(inconclusive) || !isCount(errors)) return null;
  const measured = last.slice(-MOST_KEPT).map(readMeasurement);
  const known = measured.filter((one) => one !== null);
  return { name, successful, failed, inconclusive, errors, last: known };
}

function isCount(given: unknown): given is number {
  return isWhole(given, 0, MOST_COUNTED);
}

function readMeasurement(given: unknown): Measurement | null {
  const { at, is, says } = fieldsOf(given) ?? {};
  const known = OUTCOMES.find((one) => one === is);
  if (known === undefined || !isTime(at)) return null;
  return { at, is: known, says: printable(textOf(says, LONGEST_SAYING)) };
}

/** A person reads it in a status and in a terminal. */
function printable(said: string): string {
  return said.replace(/[^ -~…]/g, '?');
}

const sentence = text(2_048);
const check = fields(
  {
    name: text(40),
    expect: text(256),
    intervalMs: number,
    count: number,
    failureLimit: number,
    inconclusiveLimit: number,
  },
  { path: text(256), metrics: fields({ query: text(1_024), empty: oneOf(EMPTIES) }) },
);
const measurement = fields({ at: number, is: oneOf(OUTCOMES), says: text(256) });
const judged = fields({
  name: text(40),
  is: oneOf([...VERDICTS, 'Stopped']),
  says: sentence,
  successful: number,
  failed: number,
  inconclusive: number,
  errors: number,
  last: listOf(measurement, MOST_KEPT),
});

export const isOrder: MessageShape = fields({ key: text(64), checks: listOf(check, MOST_CHECKS) });

export const isVerification: MessageShape = fields({
  key: text(64),
  verdict: oneOf(VERDICTS),
  says: sentence,
  at: number,
  checks: listOf(judged, MOST_CHECKS),
});
