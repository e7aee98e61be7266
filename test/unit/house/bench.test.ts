import { quantiles } from '../../../testbed/quantiles.ts';
import { writesSince, writesSoFar } from '../../../testbed/at-rest/writes.ts';
import type { Kube } from '../../../kube/client.ts';

const upTo = (last: number) => Array.from({ length: last }, (_, index) => last - index);

it.each([
  [upTo(100), { p50: 50, p90: 90, p95: 95, p99: 99, max: 100 }],
  [upTo(10), { p50: 5, p90: 9, p95: 10, p99: 10, max: 10 }],
  [[3.14], { p50: 3.1, p90: 3.1, p95: 3.1, p99: 3.1, max: 3.1 }],
])('quantiles are nearest-rank quantiles of the sorted samples', (samples, expected) => {
  expect(quantiles(samples)).toEqual(expected);
});

it('no samples are an error', () => {
  expect(() => quantiles([])).toThrow('no samples');
});

const served = (text: string) => [
  { name: 'hub', kube: { raw: () => Promise.resolve(text) } as unknown as Kube },
];
const line = (verb: string, resource: string, subresource: string, value: number) =>
  `apiserver_request_total{code="200",resource="${resource}",subresource="${subresource}",verb="${verb}"} ${value}\n`;

it('writes are counted by resource; reads and reviews are not counted', async () => {
  const before = await writesSoFar(
    served(line('POST', 'capps', '', 1) + line('APPLY', 'capps', 'status', 4)),
  );
  const text =
    line('POST', 'capps', '', 3) +
    line('PATCH', 'capps', '', 2) +
    line('APPLY', 'capps', 'status', 4) +
    line('GET', 'capps', '', 99) +
    line('POST', 'subjectaccessreviews', '', 99) +
    line('PUT', 'leases', '', 7);
  expect(writesSince(before, await writesSoFar(served(text)))).toEqual([
    { cluster: 'hub', resource: 'leases', requests: 7 },
    { cluster: 'hub', resource: 'capps', requests: 4 },
  ]);
});

it('metrics without writes are an error', async () => {
  await expect(writesSoFar(served('# nothing\n'))).rejects.toThrow('do not count writes');
});
