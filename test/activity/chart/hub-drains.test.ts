// Which Drains the hub worker may make and delete, on a real API server with the chart's rights and policies:
// those of its own chain, and dry runs that were left behind.
import { DRAIN } from '../../../crds/drain/drain.ts';
import { ENDS_AFTER } from '../../../crds/labels.ts';
import { PROVISIONED_FOR } from '../../../crds/metal/labels.ts';
import { drain, UID } from '../../support/builders/metal/provisioned.ts';
import { provisioningWorker, refusedBy } from '../../support/testbeds/metal/provisioning-worker.ts';

const { create, remove, asAdmin } = provisioningWorker(() => undefined);

describe('Drains', () => {
  test('its own is made and deleted', async () => {
    const own = drain({ [PROVISIONED_FOR]: UID });
    expect(await create(DRAIN, own)).toMatchObject({ code: 201 });
    expect(await remove(DRAIN, own)).toMatchObject({ code: 200 });
  });

  test.each([{}, { [PROVISIONED_FOR]: '' }])(
    'one with %p is neither made nor deleted',
    async (annotations) => {
      expect(await create(DRAIN, drain(annotations))).toMatchObject(refusedBy('cappstan-hub-drains'));
      await asAdmin(DRAIN, drain(annotations));
      expect(await remove(DRAIN, drain(annotations))).toMatchObject(refusedBy('cappstan-hub-drains'));
    },
  );
});

test('a dry run that has an end is deleted, and not made; a drain with the same mark stays', async () => {
  const left = { ...drain({ [ENDS_AFTER]: '900' }), spec: { dryRun: true } };
  expect(await create(DRAIN, left)).toMatchObject(refusedBy('cappstan-hub-drains'));
  await asAdmin(DRAIN, left);
  expect(await remove(DRAIN, left)).toMatchObject({ code: 200 });
  await asAdmin(DRAIN, drain({ [ENDS_AFTER]: '900' }));
  expect(await remove(DRAIN, drain({ [ENDS_AFTER]: '900' }))).toMatchObject(refusedBy('cappstan-hub-drains'));
});
