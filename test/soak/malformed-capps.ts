// Ten thousand malformed Capps as dry runs: the hub accepts or refuses each, and its webhook never fails.
//
// Usage: make soak. MALFORMED_CAPPS is the number (10,000), MALFORMED_SEED the seed (the time). Prints the
// status codes; exits with 1 after a 5xx.
import { CAPP } from '../../crds/capp/capp.ts';
import { ApiError } from '../../kube/failure.ts';
import { newNamespace } from '../../testbed/capps.ts';
import { malformedCapp } from '../support/builders/manifests/malformed-capps.ts';
import { random } from '../support/builders/random.ts';
import { openStack } from '../../testbed/stack.ts';

const AT_ONCE = 32;

const count = Number(process.env['MALFORMED_CAPPS'] ?? 10_000);
const seed = Number(process.env['MALFORMED_SEED'] ?? Date.now() % 2 ** 32);
const stack = await openStack();
const namespace = await newNamespace(stack.hub, 'malformed');
const path = `/apis/${CAPP.apiVersion}/namespaces/${namespace}/capps?dryRun=All`;
const dice = random(seed);
const codes = new Map<number, number>();
let asked = 0;
const lanes = Array.from({ length: AT_ONCE }, async () => {
  while (asked < count) {
    asked += 1;
    const code = await stack.hub.raw('POST', path, { body: malformedCapp(dice) }).then(() => 201, codeOf);
    codes.set(code, (codes.get(code) ?? 0) + 1);
  }
});
await Promise.all(lanes);
await stack.close();
console.log(`MALFORMED_SEED=${seed}: ${[...codes].map(([code, times]) => `${times} × ${code}`).join(', ')}`);
process.exitCode = [...codes.keys()].every((code) => code >= 200 && code < 500) ? 0 : 1;

function codeOf(error: unknown): number {
  return error instanceof ApiError ? error.code : 0;
}
