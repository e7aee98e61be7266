// Kubernetes quantities ("200Gi", "100m", 2), the one choice of types that a structural schema knows.
import { z } from 'zod';

/** What a quantity looks like when it is a string. */
export const PATTERN =
  '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$';

export const Quantity = z
  .union([z.int(), z.string()])
  .meta({ 'x-kubernetes-int-or-string': true, pattern: PATTERN });

export const ResourceQuantities = z.record(z.string(), Quantity);

const FACTOR: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/**
 * Each character can be read in one way only: a long text that is no quantity takes no longer than one that
 * is.
 */
const SHAPE = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+))(?:([eE][+-]?\d+)|([A-Za-z]{1,2}))?$/;

/**
 * The number that a quantity stands for. Throws an Error on text that is none, which no API server stores.
 */
export function amountOf(quantity: string | number): number {
  const [, digits, exponent = '', suffix = ''] = SHAPE.exec(String(quantity)) ?? [];
  const factor = suffix === '' ? 1 : FACTOR[suffix];
  if (digits === undefined || factor === undefined) throw new Error(`${quantity} is not a quantity`);
  return Number(`${digits}${exponent}`) * factor;
}

const QUANTITY = new RegExp(PATTERN);

export function isQuantity(value: string | number): boolean {
  return QUANTITY.test(String(value));
}
