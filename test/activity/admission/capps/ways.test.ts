// Other ways to write a Capp than to create it by name: none of them gets past the webhook. Called by a real
// API server, with the chart's configurations and rights.
import { CAPP, type Capp } from '../../../../crds/capp/capp.ts';
import type { Kube } from '../../../../kube/client.ts';
import { pathOf } from '../../../../kube/resource.ts';
import { capp, readCapp } from '../../../../testbed/capps.ts';
import { askedCapps, cappNamed as wish, NS } from '../../../support/testbeds/hub/asked-capps.ts';

let kube: Kube;
const { create, dryRun } = askedCapps((given) => {
  ({ kube } = given);
});

const at = (hostname: string) => ({ spec: { routeSpec: { hostname } } });
const refused = (reason: string) => ({
  code: 422,
  fields: [`spec.routeSpec.hostname: ${reason}`],
});
/** The API server gives the name. */
function generated(hostname: string): Promise<Capp> {
  const { metadata, ...rest } = wish('x', at(hostname));
  const { name: _name, ...others } = metadata;
  return kube.create<Capp>(CAPP, { ...rest, metadata: { ...others, generateName: 'gen-' } } as never);
}
const owned = { fieldManager: 'somebody', force: true };

test('a Capp whose name the API server makes is judged as any other', async () => {
  await expect(generated('forbidden.example.com')).rejects.toMatchObject(refused('FieldValueInvalid'));
  const first = await generated('gen.example.com');
  expect(first.metadata.name).toMatch(/^gen-.+/);
  // At once, before any cache shows the first: both have no name when the webhook is asked first.
  await expect(generated('gen.example.com')).rejects.toMatchObject(refused('FieldValueDuplicate'));
});

test('a server-side apply with force takes no hostname that the webhook refuses, and none of another Capp', async () => {
  await create('by-apply', at('by-apply.example.com'));
  const forced = (name: string, hostname: string): Promise<Capp> =>
    kube.apply<Capp>(CAPP, capp({ namespace: NS, name, ...at(hostname) }), owned);
  await expect(forced('by-apply', 'forbidden.example.com')).rejects.toMatchObject(
    refused('FieldValueInvalid'),
  );
  await expect(forced('by-apply-2', 'by-apply.example.com')).rejects.toMatchObject(
    refused('FieldValueDuplicate'),
  );
  await expect(forced('by-apply', 'BY-APPLY.example.com.')).rejects.toMatchObject({ code: 422 });
});

test('a dry run claims no hostname, and is refused what a write is', async () => {
  await dryRun(wish('dry', at('dry.example.com')));
  await expect(dryRun(wish('dry', at('forbidden.example.com')))).rejects.toMatchObject(
    refused('FieldValueInvalid'),
  );
  await create('not-dry', at('dry.example.com'));
});

test('a write of the status changes no spec, and there is no scale to write', async () => {
  const key = { namespace: NS, name: 'by-status' };
  await create('by-status', at('by-status.example.com'));
  await kube.patch(CAPP, key, { ...at('forbidden.example.com'), status: {} }, { subresource: 'status' });
  expect((await readCapp(kube, key))?.spec.routeSpec?.hostname).toBe('by-status.example.com');
  const scale = `${pathOf(CAPP, key)}/scale`;
  for (const method of ['GET', 'PUT', 'PATCH'])
    await expect(kube.raw(method, scale)).rejects.toMatchObject({ code: 404 });
});
