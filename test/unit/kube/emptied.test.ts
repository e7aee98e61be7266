// What is applied empty ends empty: applied once more where the server made null of it, and by way of its
// absence where it refuses the null.
import { CAPP } from '../../../crds/capp/capp.ts';
import { connectedBy } from '../../../kube/client.ts';
import { ApiError } from '../../../kube/failure.ts';
import { isEmptied, unrefused } from '../../../kube/http/emptied.ts';
import type { KubeRequest, Transport } from '../../../kube/http/transport.ts';

test.each<[live: unknown, applied: unknown, is: boolean]>([
  [{ annotations: null }, { annotations: {} }, true],
  [{ annotations: {} }, { annotations: {} }, false],
  [{}, { eventSourcesSpec: { sources: [] } }, true],
  [{ volumes: [{ name: 'a', emptyDir: null }] }, { volumes: [{ name: 'a', emptyDir: {} }] }, true],
  [{ volumes: [{ name: 'a', emptyDir: {} }] }, { volumes: [{ name: 'a', emptyDir: {} }] }, false],
  [{ metadata: { annotations: null } }, { metadata: { annotations: {} } }, true],
  // A field that the kind does not know is dropped each time.
  [{ spec: { image: 'a' } }, { spec: { image: 'a', unknown: 'b' } }, false],
  [{ spec: null }, { spec: { image: 'a' } }, false],
])('of %j, where %j was applied: %s', (live, applied, is) => {
  expect(isEmptied(live, applied)).toBe(is);
});

function invalid(...fields: string[]): ApiError {
  const all = fields.map((field) => `${field}: FieldValueTypeInvalid`);
  return new ApiError({ method: 'PATCH', path: '/', code: 422, reason: 'Invalid', fields: all });
}

test('what is refused as null is away for once, and nothing else', () => {
  const object = {
    spec: { scaleSpec: {}, routeSpec: {}, state: 'enabled', sources: [{ a: {} }, { a: {} }] },
  };
  expect(unrefused(object, invalid('spec.scaleSpec', 'spec.sources[1].a'))).toEqual({
    first: { spec: { routeSpec: {}, state: 'enabled', sources: [{}, {}] } },
    last: object,
  });
});

test('what would be empty without it is away, too, since the server would make null of that', () => {
  const object = { spec: { template: { metadata: { annotations: {} }, spec: { image: 'a' } } } };
  expect(unrefused(object, invalid('spec.template.metadata.annotations'))).toEqual({
    first: { spec: { template: { spec: { image: 'a' } } } },
    last: object,
  });
});

test('a volume that is an empty directory says so outright, since it must not be away', () => {
  const volumes = (emptyDir: object) => ({ spec: { volumes: [{ name: 'a', emptyDir }], labels: {} } });
  const refused = 'spec.volumes[0].emptyDir';
  const { spec } = volumes({ medium: '' });
  expect(unrefused(volumes({}), invalid(refused))).toEqual({ last: { spec } });
  const { labels: _none, ...first } = spec;
  expect(unrefused(volumes({}), invalid(refused, 'spec.labels'))).toEqual({
    first: { spec: first },
    last: { spec },
  });
});

test.each<[why: string, object: object, error: unknown]>([
  ['a value of a wrong type', { spec: { state: 5 } }, invalid('spec.state')],
  ['an empty part that is not named', { spec: { scaleSpec: {}, state: 5 } }, invalid('spec.state')],
  [
    'a missing field',
    { spec: {} },
    new ApiError({
      method: 'PATCH',
      path: '/',
      code: 422,
      reason: 'Invalid',
      fields: ['spec: FieldValueRequired'],
    }),
  ],
  [
    'a conflict',
    { spec: {} },
    new ApiError({
      method: 'PATCH',
      path: '/',
      code: 409,
      reason: 'Conflict',
      fields: ['spec: FieldValueTypeInvalid'],
    }),
  ],
])('%s is refused for good', (_why, object, error) => {
  expect(unrefused(object, error)).toBeNull();
});

const METADATA = { namespace: 'apps', name: 'shop' };

/** Answers one after the other; throws those that are errors. */
function serving(answers: readonly unknown[]) {
  const sent: unknown[] = [];
  const send = async ({ body = '' }: KubeRequest): Promise<unknown> => {
    sent.push(JSON.parse(body));
    const answer = answers[sent.length - 1];
    if (answer instanceof Error || answer === undefined) throw answer ?? new Error('asked too often');
    return answer;
  };
  const kube = connectedBy({ send } as unknown as Transport);
  const apply = (object: object) =>
    kube.apply(CAPP, object as never, { fieldManager: 'me', subresource: 'status' });
  return { sent, apply };
}

const at = (resourceVersion: string, status: object) => ({
  metadata: { ...METADATA, resourceVersion },
  status,
});

test('each write after the first asks for the version that the one before it made', async () => {
  const links = 'status.applicationLinks';
  const { sent, apply } = serving([invalid(links), at('8', {}), at('9', { applicationLinks: {} })]);
  expect(await apply(at('7', { applicationLinks: {} }))).toMatchObject({
    metadata: { resourceVersion: '9' },
  });
  expect(sent).toMatchObject([
    at('7', { applicationLinks: {} }),
    { metadata: { ...METADATA, resourceVersion: '7' } },
    at('8', { applicationLinks: {} }),
  ]);
  const nulled = serving([at('8', { a: null }), at('9', { a: {} })]);
  await nulled.apply(at('7', { a: {} }));
  expect(nulled.sent).toMatchObject([at('7', { a: {} }), at('8', { a: {} })]);
});

test('what is there as it was applied is applied once, and a refusal that stays is told', async () => {
  const once = serving([{ metadata: METADATA, status: { a: {} } }]);
  await once.apply({ metadata: METADATA, status: { a: {} } });
  expect(once.sent).toHaveLength(1);
  const stays = serving([invalid('status.a'), invalid('status')]);
  await expect(stays.apply({ metadata: METADATA, status: { a: {} } })).rejects.toMatchObject({
    fields: ['status: FieldValueTypeInvalid'],
  });
});
