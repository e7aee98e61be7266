// What an edit by `kubectl capp set` makes of an object.
import { envEdit, hostnameEdit, imageEdit, type AppSpec } from '../../../../cli/manifests/edits.ts';
import { envEditFrom, withEdits } from '../../../../cli/manifests/env.ts';
import type { ConnectedHub } from '../../../../cli/hub/connection/hub.ts';
import { editObject } from '../../../../cli/hub/write/write.ts';
import { CAPP } from '../../../../crds/capp/capp.ts';
import type { KubeObject } from '../../../../kube/resource.ts';

test('an object that says the same in another order is not written', async () => {
  const capp = { metadata: { name: 'a' }, spec: { image: 'x', env: [{ name: 'A', value: '1' }] } };
  const write = (): never => {
    throw new Error('It was written.');
  };
  const hub = { kube: { raw: write } } as unknown as ConnectedHub;
  const ended = await editObject<KubeObject & { spec: object }>(hub, CAPP, {
    dryRun: null,
    read: async () => capp,
    change: (one) => ({ ...one, spec: { env: [{ value: '1', name: 'A' }], image: 'x' } }),
  });
  expect(ended.isChanged).toBe(false);
});

test('variables keep their places, and the last word about one of them counts', () => {
  const before = [{ name: 'A', value: '1' }, { name: 'B', valueFrom: {} }, { name: 'C' }];
  const edits = ['B=2', 'D=3', 'C-', 'D=4', 'E-'].flatMap((text) => envEditFrom(text) ?? []);
  expect(withEdits(before, edits)).toEqual([
    { name: 'A', value: '1' },
    { name: 'B', value: '2' },
    { name: 'D', value: '4' },
  ]);
  expect(['A', '-', '=x', '1A=2', 'A B=1'].map(envEditFrom)).toEqual([null, null, null, null, null]);
});

describe('an edit', () => {
  const spec = (...names: string[]): AppSpec => ({
    configurationSpec: { template: { spec: { containers: names.map((name) => ({ name, image: 'old' })) } } },
  });

  it('changes the container that is named, or the only one, and nothing else', () => {
    expect(imageEdit(null, 'new')(spec('a')).configurationSpec.template.spec.containers).toEqual([
      { name: 'a', image: 'new' },
    ]);
    expect(imageEdit('b', 'new')(spec('a', 'b')).configurationSpec.template.spec.containers).toEqual([
      { name: 'a', image: 'old' },
      { name: 'b', image: 'new' },
    ]);
    expect(() => imageEdit(null, 'new')(spec('a', 'b'))).toThrow(
      'say which with <container>= or -c. It has: a, b.',
    );
    expect(() => imageEdit('c', 'new')(spec('a', 'b'))).toThrow('It has no container c. It has: a, b.');
  });

  it('leaves nothing empty behind', () => {
    const set = envEdit(null, [{ name: 'A', value: '1' }])(spec('a'));
    expect(envEdit(null, [{ name: 'A', value: null }])(set)).toEqual(spec('a'));
    const named = hostnameEdit('shop')({ ...spec('a'), routeSpec: {} });
    expect(named.routeSpec).toEqual({ hostname: 'shop' });
    expect(hostnameEdit('')(named)).toEqual(spec('a'));
  });
});
