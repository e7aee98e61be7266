// A name that is used again lets nobody in who had it before, on a real API server that signs certificates
// and knows bootstrap tokens. OCM's rights for a name are played by the test
// (test/support/testbeds/join/certified.ts).
import { hubJoins } from '../../../../activities/hub/join/approve.ts';
import { boundOf, tokenKey } from '../../../../crds/join/bootstrap-token.ts';
import { parseJoinLine } from '../../../../crds/join/join-line.ts';
import { formerUntil, recordIn, recordKey, type NameRecord } from '../../../../crds/join/name-record.ts';
import { CONFIG_MAP, SECRET } from '../../../../crds/kubernetes/core.ts';
import { MANAGED_CLUSTER } from '../../../../crds/ocm/ocm.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { joinVerdict } from '../../../../workflows/join/verdict.ts';
import { forPeople } from '../../../support/servers/joining/join-command.ts';
import { certified, reads, rightsOf, type Certified } from '../../../support/testbeds/join/certified.ts';
import type { Expected } from '../../../support/testbeds/join/join.ts';
import { joinLines, saysOf } from '../../../support/testbeds/join/join-lines.ts';

const DAY = 86_400_000;
const LIFE_MS = 90 * DAY;

const { hub, declare, settle, read } = joinLines();
const seen: Certified[] = [];

afterEach(async () => {
  for (const { kube } of seen.splice(0)) await kube.close();
});

const joins = (now = Date.now()) => hubJoins({ kube: hub.kube, lifeMs: LIFE_MS, now: () => now });
const recordOf = async (cluster: string): Promise<NameRecord | null> =>
  recordIn(await hub.kube.getMetadata(CONFIG_MAP, recordKey(cluster)));
const token = (cluster: string, ...flags: string[]) =>
  forPeople(['token', '--cluster', cluster, ...flags, '--kubeconfig', hub.kubeconfig]);

/** Comes with the token, and is accepted. */
async function comes(who: Expected): Promise<Certified> {
  const coming = { visitor: await hub.visitor(who.token), admin: hub.kube, kubeconfig: hub.kubeconfig };
  const come = await certified(who.cluster, coming, async ({ metadata }) => {
    const hint = { request: metadata.name, token: who.token.id };
    expect(await joins().approveJoin(who.cluster, hint)).toEqual({ outcome: 'Approved' });
  });
  seen.push(come);
  return come;
}

/** The cluster had a site, whose ManagedCluster an administrator has deleted. */
async function formerSite(): Promise<{ readonly cluster: string; readonly thief: Certified }> {
  const who = await hub.expected();
  const thief = await comes(who);
  const endRights = await rightsOf(hub.kube, who.cluster);
  await eventually(async () => ((await reads(thief, who.cluster)) ? true : undefined));
  await hub.kube.remove(MANAGED_CLUSTER, { namespace: null, name: who.cluster });
  await endRights();
  await eventually(async () => ((await reads(thief, who.cluster)) ? undefined : true));
  return { cluster: who.cluster, thief };
}

describe('who had a name before', () => {
  test('keeps a certificate by which the name would let them in again: so a token for it is refused, with until when, and what overrides it', async () => {
    const { cluster, thief } = await formerSite();
    const before = Date.now();
    await joins().seeJoin(cluster);
    const { endsAt = 0 } = (await recordOf(cluster)) ?? {};
    expect(endsAt).toBeGreaterThanOrEqual(before + LIFE_MS);
    const refused = await token(cluster);
    expect(refused.code).toBe(1);
    const until = new Date(endsAt ?? 0).toISOString().slice(0, 16).replace('T', ' ');
    expect(refused.output).toContain(`An agent of a former ManagedCluster ${cluster}`);
    expect(refused.output).toContain(until);
    expect(refused.output).toContain('--reuse-name');
    expect(await hub.clusterOf(cluster)).toBeNull();
    const given = await token(cluster, '--reuse-name');
    expect(given.code).toBe(0);
    const right = { cluster, token: parseJoinLine(given.out.trim())?.token ?? { id: '', secret: '' } };
    await comes(right);
    await rightsOf(hub.kube, cluster);
    // This is what the flag is about.
    await eventually(async () => ((await reads(thief, cluster)) ? true : undefined));
  });

  test('is not let in by a token that somebody has made otherwise, and the join says why', async () => {
    const { cluster } = await formerSite();
    const who = await hub.expected({ cluster });
    const request = await hub.asks(who.token, { cluster });
    // Nobody has noted yet that the former one is gone.
    await hub.isLeftAlone(who, request, /a former ManagedCluster .* may have a certificate/);
    const sight = await joins().seeJoin(cluster);
    const verdict = joinVerdict(cluster, sight, Date.now());
    expect(verdict).toMatchObject({ reason: 'FormerCertificate', act: { do: 'wait' } });
    expect(verdict.message).toContain(`cappstan token --cluster ${cluster} --existing --reuse-name`);
    await hub.isLeftAlone(who, request, /a former ManagedCluster .* may have a certificate/);
    const people = await forPeople(['joins', '--kubeconfig', hub.kubeconfig]);
    expect(people.out).toMatch(new RegExp(`${cluster} +Asked +FormerCertificate`));
    const existing = await token(cluster, '--existing');
    expect(existing).toMatchObject({
      code: 1,
      output: expect.stringContaining('--reuse-name') as string,
    });
    const accepted = await forPeople(['accept', cluster, '--kubeconfig', hub.kubeconfig]);
    expect(accepted).toMatchObject({
      code: 1,
      output: expect.stringContaining('--reuse-name') as string,
    });
    expect(await hub.clusterOf(cluster)).toMatchObject({ spec: { hubAcceptsClient: false } });
  });

  test('is out for good when the last certificate has ended, and no record stays', async () => {
    const { cluster } = await formerSite();
    await joins().seeJoin(cluster);
    const later = ((await recordOf(cluster))?.endsAt ?? 0) + 1_000;
    const who = await hub.expected({ cluster, endsAt: later + DAY });
    const request = await hub.asks(who.token, { cluster });
    const hint = { request: request.metadata.name, token: who.token.id };
    expect(await joins(later).approveJoin(cluster, hint)).toEqual({ outcome: 'Approved' });
    const uid = (await hub.clusterOf(cluster))?.metadata.uid;
    expect(await recordOf(cluster)).toEqual({ uid, lifeMs: LIFE_MS, endsAt: null });
    const other = await formerSite();
    await joins(later).seeJoin(other.cluster);
    const third = await formerSite();
    await joins(later + 100 * DAY).seeJoin(third.cluster);
    expect(await recordOf(other.cluster)).toBeNull();
    expect(await recordOf(third.cluster)).not.toBeNull();
  });
});

describe('a ClusterJoin', () => {
  test('for such a name is refused, and makes nothing; with spec.reuseName it yields a token that counts', async () => {
    const { cluster } = await formerSite();
    const refused = await settle(await declare({ cluster }));
    expect(saysOf(refused)).toBe('Refused FormerCertificate');
    expect(refused.status?.conditions?.[0]?.message).toContain('spec.cluster');
    expect(refused.status?.conditions?.[0]?.message).toContain('spec.reuseName: true');
    expect(await hub.clusterOf(cluster)).toBeNull();
    const taken = await settle(await declare({ cluster, reuseName: true }));
    expect(saysOf(taken)).toBe('Waiting Expected');
    const id = (await read(taken))?.status?.tokenId ?? '';
    const secret = await hub.kube.getMetadata(SECRET, tokenKey(id));
    expect(secret === null ? null : boundOf(secret)?.cluster).toBe(cluster);
    expect(secret?.metadata.annotations).toMatchObject({ 'rcs.dana.io/reuse-name': 'true' });
  });
});

test('who was accepted by a person is noted too, and a look at what is noted writes nothing', async () => {
  const who = await hub.expected();
  const key = { namespace: null, name: who.cluster };
  await hub.kube.patch(MANAGED_CLUSTER, key, { spec: { hubAcceptsClient: true } });
  await joins().seeJoin(who.cluster);
  const noted = await hub.kube.getMetadata(CONFIG_MAP, recordKey(who.cluster));
  expect(recordIn(noted)).toMatchObject({ lifeMs: LIFE_MS, endsAt: null });
  await joins().seeJoin(who.cluster);
  expect(await hub.kube.getMetadata(CONFIG_MAP, recordKey(who.cluster))).toEqual(noted);
  await hub.kube.remove(MANAGED_CLUSTER, key);
  const gone = Date.now() + 5 * DAY;
  await joins(gone).seeJoin(who.cluster);
  expect(formerUntil(await recordOf(who.cluster), null, gone)).toBeGreaterThan(gone + LIFE_MS);
});
