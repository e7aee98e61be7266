// The image of the chart: by tag, or by a digest that decides for every process, also for those on sites.
import { renderChart } from '../../../deploy/local/cappstan/chart.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { forHub, forSite, type Values } from '../../support/servers/chart/chart.ts';

const DIGEST = `sha256:${'d'.repeat(64)}`;
const IMAGE: Values = { 'image.repository': 'registry.example:5000/cappstan', 'image.digest': DIGEST };
const GATEWAY: Values = { 'gateway.install': 'true', 'gateway.address': 'gateway.example:7443' };

interface Deployment extends KubeObject {
  readonly spec: {
    readonly template: { readonly spec: { readonly containers: readonly { image: string }[] } };
  };
}

const imagesOf = (objects: readonly KubeObject[]): string[] =>
  objects
    .filter((object): object is Deployment => object.kind === 'Deployment')
    .flatMap(({ spec }) => spec.template.spec.containers)
    .map(({ image }) => image);

test.each<[string, Values, number]>([
  ['on the hub and on its sites', GATEWAY, 6],
  ['on a site without a hub', { 'site.alone': 'true' }, 2],
])('every process %s runs exactly the image of the digest', async (_, values, processes) => {
  const objects = await forHub({ ...IMAGE, ...values });
  const ofSites = values['site.alone'] === 'true' ? [] : forSite(objects);
  const images = imagesOf([...objects, ...ofSites]);
  expect(images).toHaveLength(processes);
  expect([...new Set(images)]).toEqual([
    expect.stringMatching(`^registry.example:5000/cappstan:[0-9]+\\.[0-9]+\\.[0-9]+@${DIGEST}$`),
  ]);
});

test('a tag may stand beside it, and without it the tag is all that there is', async () => {
  const tagged = { ...IMAGE, 'image.tag': 'v9' };
  expect(imagesOf(await forHub(tagged))[0]).toBe(`registry.example:5000/cappstan:v9@${DIGEST}`);
  const byTag = await forHub({ ...tagged, 'image.digest': '' });
  expect(imagesOf(byTag)[0]).toBe('registry.example:5000/cappstan:v9');
});

test.each([
  ['without its kind', 'd'.repeat(64)],
  ['that is cut', DIGEST.slice(0, -1)],
  ['with more after it', `${DIGEST}e`],
  ['in capitals', DIGEST.toUpperCase()],
  ['that is a tag', 'latest'],
])('helm refuses a digest %s, and the message names the value', async (_, digest) => {
  const values = { ...IMAGE, 'temporal.address': 'temporal.example:7233', hubId: 'hub-under-test' };
  await expect(renderChart({ ...values, 'image.digest': digest })).rejects.toThrow(/\/image\/digest/);
});
