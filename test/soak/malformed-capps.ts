// Ten thousand Capps that nobody would write, in dry runs: the hub refuses or takes each, and its webhook never fails.
//
// Usage: make soak; ODD_CAPPS says how many (10,000), ODD_SEED which (the time). Ends with 1 and the codes if one was answered with 5xx.
import { CAPP } from '../../crds/capp/capp.ts';
import { ApiError } from '../../kube/failure.ts';
import { newNamespace } from '../../testbed/apps.ts';
import { oddCapp } from '../support/builders/odd-capps.ts';
import { random } from '../support/builders/random.ts';
import { openStack } from '../../testbed/stack.ts';

const AT_ONCE = 32;

const count = Number(process.env['ODD_CAPPS'] ?? 10_000);
const seed = Number(process.env['ODD_SEED'] ?? Date.now() % 2 ** 32);
const stack = await openStack();
const namespace = await newNamespace(stack.hub, 'odd');
const path = `/apis/${CAPP.apiVersion}/namespaces/${namespace}/capps?dryRun=All`;
const dice = random(seed);
const codes = new Map<number, number>();
let asked = 0;
const lanes = Array.from({ length: AT_ONCE }, async () => {
  while (asked < count) {
    asked += 1;
    const code = await stack.hub.raw('POST', path, { body: oddCapp(dice) }).then(() => 201, codeOf);
    codes.set(code, (codes.get(code) ?? 0) + 1);
  }
});
await Promise.all(lanes);
await stack.close();
console.log(`ODD_SEED=${seed}: ${[...codes].map(([code, times]) => `${times} × ${code}`).join(', ')}`);
process.exitCode = [...codes.keys()].every((code) => code >= 200 && code < 500) ? 0 : 1;

function codeOf(error: unknown): number {
  return error instanceof ApiError ? error.code : 0;
}
