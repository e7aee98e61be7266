// Amounts in words. Pure.
import type { QuotaResource } from '../../types/inspection.ts';

const MIB = 2 ** 20;
const GIB = 2 ** 30;

/** `1.5 cores`, of thousandths. */
export function cores(milli: number): string {
  const rounded = Math.round(milli / 10) / 100;
  return rounded === 1 ? '1 core' : `${rounded} cores`;
}

/** `512 MiB`, `3.5 GiB`. */
export function bytes(amount: number): string {
  return amount >= GIB ? `${Math.round(amount / (GIB / 10)) / 10} GiB` : `${Math.round(amount / MIB)} MiB`;
}

export function inUnits(resource: QuotaResource, amount: number): string {
  if (resource === 'pods') return amount === 1 ? '1 pod' : `${amount} pods`;
  return resource.endsWith('cpu') ? cores(amount) : bytes(amount);
}
