// Whose the namespace of OCM's agent on a site is: that of a join, which may have been killed before its
// note, or somebody else's. The site is a stand-in that has these two objects.
import { membershipOf, NOTE } from '../../../../deploy/join/site.ts';
import type { Kube } from '../../../../kube/client.ts';
import type { KubeObject } from '../../../../kube/resource.ts';

const siteWith = (objects: Readonly<Record<string, KubeObject>>): Kube =>
  ({ get: async ({ kind }: { kind: string }) => objects[kind] ?? null }) as unknown as Kube;
const namespace = (labels: Readonly<Record<string, string>> = {}): KubeObject => ({
  metadata: { name: NOTE.namespace, labels },
});

test('a namespace that a join has made without its note is no other agent’s', async () => {
  const ours = namespace({ 'app.kubernetes.io/managed-by': 'cappstan-join' });
  expect(await membershipOf(siteWith({ Namespace: ours }))).toBeNull();
});

test.each([
  ['without a label', namespace()],
  ['of another program', namespace({ 'app.kubernetes.io/managed-by': 'Helm' })],
])('a namespace %s is that of an agent of OCM that was there before', async (_, other) => {
  await expect(membershipOf(siteWith({ Namespace: other }))).rejects.toThrow(/has an agent of OCM already/);
});

test('a site without either has joined nothing, and its note says what it has joined', async () => {
  expect(await membershipOf(siteWith({}))).toBeNull();
  const data = { cluster: 'shop-7', hub: 'https://hub.example:6443', fingerprint: 'sha256:ab' };
  const note = { metadata: NOTE, data } as KubeObject;
  expect(await membershipOf(siteWith({ ConfigMap: note, Namespace: namespace() }))).toMatchObject(data);
});
