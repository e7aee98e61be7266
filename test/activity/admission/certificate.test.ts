// The webhook's certificate on a real API server: created once by several replicas, renewed under load
// without a refused request, or read from files.
import { X509Certificate } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, request, type RequestOptions } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { issue } from '../../../tls/certificate.ts';
import { TLS_TIMES } from '../../../tls/times.ts';
import { PATHS } from '../../../admission/router.ts';
import { CAPP } from '../../../crds/capp/capp.ts';
import { SECRET, type Secret } from '../../../crds/kubernetes/core.ts';
import { RELEASE_NAMESPACE } from '../../../deploy/local/cappstan/chart.ts';
import { givenCertificate, ownCertificate } from '../../../tls/shared-certificate.ts';
import { publishAuthorities, WEBHOOK_CERTIFICATE } from '../../../tls/webhook-authorities.ts';
import { capp } from '../../../testbed/capps.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { malformedCapp } from '../../support/builders/manifests/malformed-capps.ts';
import { random } from '../../support/builders/random.ts';
import { startWebhook, type WebhookForTests } from '../../support/servers/chart/webhook.ts';

const NS = 'apps';
const DRY_RUN = `/apis/${CAPP.apiVersion}/namespaces/${NS}/capps?dryRun=All`;

let stage: WebhookForTests;
beforeAll(async () => {
  // More than two thirds of the first certificate's lifetime are over.
  stage = await startWebhook([NS], Date.now() - TLS_TIMES.lifetime.ms + 86_400_000);
  await eventually(async () => (await dryRun(capp({ namespace: NS, name: 'warm-up' }))) ?? undefined);
}, 300_000);
afterAll(() => stage?.stop());

const dryRun = (object: unknown) => stage.kube.raw('POST', DRY_RUN, { body: object });

function served(): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connectTls({ host: '127.0.0.1', port: stage.port, rejectUnauthorized: false }, () => {
      const { raw } = socket.getPeerCertificate();
      socket.destroy();
      resolve(new X509Certificate(raw).fingerprint256);
    });
    socket.once('error', reject);
  });
}

test('a new certificate is first trusted and then served, and no request fails during the renewal', async () => {
  const first = await served();
  const over = new AbortController();
  let count = 0;
  const load = Array.from({ length: 4 }, async () => {
    while (!over.signal.aborted) {
      await dryRun(capp({ namespace: NS, name: 'steady' }));
      count += 1;
    }
  });
  const meanwhile = async (): Promise<void> => {
    const before = count;
    await eventually(() => (count > before + 8 ? true : undefined));
  };
  try {
    await meanwhile();
    stage.setClock(Date.now());
    await stage.admission.renew();
    expect(await served()).toBe(first);
    await meanwhile();
    await stage.admission.renew();
    expect(await served()).toBe(first);
    await meanwhile();
    await stage.admission.renew();
    expect(await served()).not.toBe(first);
    await meanwhile();
  } finally {
    over.abort();
  }
  await Promise.all(load);
});

test('replicas that start together agree on one certificate', async () => {
  await stage.kube.remove(SECRET, { namespace: RELEASE_NAMESPACE, name: WEBHOOK_CERTIFICATE });
  const replicas = Array.from({ length: 4 }, () =>
    ownCertificate(stage.kube, {
      namespace: RELEASE_NAMESPACE,
      secret: WEBHOOK_CERTIFICATE,
      hosts: ['127.0.0.1'],
      publish: (authorities) => publishAuthorities(stage.kube, authorities),
      promoteAfterMs: 0,
      now: Date.now,
    }),
  );
  const pairs = await Promise.all(replicas.map((replica) => replica.read()));
  const secret = await stage.kube.get<Secret>(SECRET, {
    namespace: RELEASE_NAMESPACE,
    name: WEBHOOK_CERTIFICATE,
  });
  expect(new Set(pairs.map(({ cert }) => btoa(cert)))).toEqual(new Set([secret?.data?.['tls.crt']]));
  const { resourceVersion } = secret?.metadata ?? {};
  await stage.admission.renew();
  await replicas[0]?.read();
  await eventually(async () => (await dryRun(capp({ namespace: NS, name: 'agreed' }))) ?? undefined);
  // The webhook needs one more host than the replicas, so it renewed the Secret once; nothing changes it from
  // here on.
  const settled = (
    await stage.kube.get<Secret>(SECRET, { namespace: RELEASE_NAMESPACE, name: WEBHOOK_CERTIFICATE })
  )?.metadata.resourceVersion;
  expect(settled).not.toBe(resourceVersion);
  await Promise.all([stage.admission.renew(), ...replicas.map((replica) => replica.read())]);
  expect(
    (await stage.kube.get<Secret>(SECRET, { namespace: RELEASE_NAMESPACE, name: WEBHOOK_CERTIFICATE }))
      ?.metadata.resourceVersion,
  ).toBe(settled);
});

test('renewed certificate files are read again, and refused when certificate and key do not match', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'cappstan-certificate-'));
  try {
    const [cert, key] = [join(dir, 'tls.crt'), join(dir, 'tls.key')];
    const certificate = givenCertificate(cert, key);
    const [one, two] = [await issue(['a'], Date.now()), await issue(['a'], Date.now())];
    for (const pair of [one, two]) {
      await writeFile(cert, pair.cert);
      await writeFile(key, pair.key);
      expect(await certificate.read()).toEqual({ cert: pair.cert, key: pair.key });
    }
    await writeFile(key, one.key);
    await expect(certificate.read()).rejects.toThrow(
      /TLS_CERT_FILE .* are not a matching certificate and key/,
    );
  } finally {
    await rm(dir, { recursive: true });
  }
});

test('two thousand malformed Capps and invalid requests all get an answer', async () => {
  const dice = random(20_261_121);
  const agent = new Agent({ keepAlive: true, maxSockets: 64, rejectUnauthorized: false });
  const ask = (path: string, body: string, given: RequestOptions = {}): Promise<number> =>
    new Promise((resolve, reject) => {
      const options = { agent, host: '127.0.0.1', port: stage.port, path, method: 'POST', ...given };
      const sent = request(options, (response) =>
        response.resume().once('end', () => resolve(response.statusCode ?? 0)),
      );
      sent.once('error', reject).end(body);
    });
  const review = (object: unknown): string => {
    const question = {
      uid: 'u',
      kind: { group: 'g', kind: 'k' },
      operation: 'CREATE',
      userInfo: {},
      object,
      dryRun: true,
    };
    return JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request: question });
  };
  const paths = Object.values(PATHS);
  const asked = Array.from({ length: 400 }, () => ask(dice.pick(paths), review(malformedCapp(dice))));
  expect(new Set(await Promise.all(asked))).toEqual(new Set([200]));
  const [path = ''] = paths;
  expect(await Promise.all([ask('/', review({})), ask(path, '{'), ask(path, '', { method: 'GET' })])).toEqual(
    [404, 400, 405],
  );
  expect(await ask(path, ' '.repeat(9 * 1024 * 1024))).toBe(413);
  agent.destroy();
  const refusals = Array.from({ length: 200 }, () =>
    dryRun(malformedCapp(dice)).then(
      () => 200,
      ({ code }: { code: number }) => code,
    ),
  );
  expect((await Promise.all(refusals)).filter((code) => code >= 500 || code === 0)).toEqual([]);
  expect(stage.faults).toEqual([]);
}, 300_000);
