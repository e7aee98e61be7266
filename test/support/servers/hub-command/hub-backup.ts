// What happens to a hub that is backed up, lost and restored, and to a site of it, step by step.
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, statSync, existsSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CAPP } from '../../../../crds/capp/capp.ts';
import { CONFIG_MAP } from '../../../../crds/kubernetes/core.ts';
import { KNATIVE_SERVICE } from '../../../../crds/kubernetes/knative.ts';
import { APPLIED_MANIFEST_WORK, MANIFEST_WORK, type ManifestWork } from '../../../../crds/ocm/ocm.ts';
import { stackProcesses } from '../../../../deploy/local/supervise/stack-processes.ts';
import type { Kube } from '../../../../kube/client.ts';
import type { KubeObject } from '../../../../kube/resource.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import type { Ended } from './begun.ts';
import { runHubCommand, type HubCommand } from './hub-command.ts';

const LONG = { withinMs: 240_000 };
const PASSPHRASE = 'five words that nobody guesses';
const NEWER = { namespace: 'default', name: 'newer' };

export interface Given {
  readonly hub: HubCommand;
  readonly onHub: Kube;
  readonly site: Kube;
  /** Of the site. */
  readonly kubeconfig: string;
  /** For files; the hub is elsewhere. */
  readonly folder: string;
  readonly cluster: string;
}

export type BackupStory = Awaited<ReturnType<typeof backupStory>>;

/** Each step rests on those before it. */
export async function backupStory({ hub, onHub, site, kubeconfig, folder, cluster }: Given) {
  const [plain, sealed, list] = ['hub.tar.gz', 'hub.age', `${cluster}.json`].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  const passphrase = join(folder, 'passphrase');
  writeFileSync(passphrase, `${PASSPHRASE}\n`);
  const act = (name: string, ...more: string[]): Promise<Ended> =>
    runHubCommand([name, ...more, '--data-dir', hub.dir]);
  const refuses = async (why: string, ...args: [string, ...string[]]): Promise<void> => {
    const { code, output } = await act(...args);
    expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining(why) as string });
  };
  /** What has been decided, without what their agents say of it. */
  const works = async (): Promise<readonly object[]> => {
    const all = (await onHub.list<ManifestWork>(MANIFEST_WORK)).items;
    return all
      .filter(({ metadata: { name } }) => name !== NEWER.name)
      .map(({ metadata: { name, uid, generation, labels, annotations, finalizers }, spec }) => {
        return { name, uid, generation, labels, annotations, finalizers, spec };
      });
  };
  const newerWork = (): ManifestWork => ({
    metadata: { namespace: cluster, name: NEWER.name },
    spec: {
      workload: { manifests: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: NEWER, data: { a: 'b' } }] },
    },
  });
  const isTakenUp = async (): Promise<boolean> => {
    const work = await onHub.get<ManifestWork>(MANIFEST_WORK, { namespace: cluster, name: NEWER.name });
    const isApplied = work?.status?.conditions?.some(
      ({ type, status, observedGeneration }) =>
        type === 'Applied' && status === 'True' && observedGeneration === work.metadata.generation,
    );
    return (work?.metadata.finalizers?.length ?? 0) > 0 && isApplied === true;
  };
  const appliedNewer = async () =>
    (
      await site.list<
        KubeObject & { spec: { manifestWorkName: string }; status?: { evictionStartTime?: string } }
      >(APPLIED_MANIFEST_WORK)
    ).items.find(({ spec }) => spec.manifestWorkName === NEWER.name);
  /** What the hub has brought, each as somebody asked for it last. */
  const onSite = async (): Promise<readonly string[]> => {
    const lists = await Promise.all([CAPP, KNATIVE_SERVICE].map((kind) => site.list(kind)));
    const newer = await site.get(CONFIG_MAP, NEWER);
    const all = [...lists.flatMap(({ items }) => items), ...(newer === null ? [] : [newer])];
    return all.map(
      ({ metadata: { name, uid, generation, resourceVersion } }) =>
        `${name} ${uid} ${generation ?? resourceVersion}`,
    );
  };
  const before = await works();
  let siteBefore: readonly string[] = [];
  /** The digest of the losses. */
  let seen = '';

  return {
    backsUp: async () => {
      expect(before.length).toBeGreaterThan(1);
      expect(await act('backup', plain)).toMatchObject({ code: 0 });
      expect(await act('backup', sealed, '--passphrase-file', passphrase)).toMatchObject({ code: 0 });
      for (const file of [plain, sealed]) expect(statSync(file).mode & 0o777).toBe(0o600);
    },
    refusesToReplace: async () => {
      const was = readFileSync(plain);
      await refuses('exists', 'backup', plain);
      expect(readFileSync(plain).equals(was)).toBe(true);
      expect(await act('backup', plain, '--overwrite')).toMatchObject({ code: 0 });
      expect(readFileSync(plain).equals(was)).toBe(false);
    },
    leavesNothingWhenEtcdDies: async () => {
      const was = readdirSync(folder);
      const etcd = await hub.pidOf('etcd');
      process.kill(etcd, 'SIGSTOP');
      const ended = act('backup', join(folder, 'half'));
      const began = (): true | undefined =>
        readdirSync(folder).some((name) => name.endsWith('.part')) ? true : undefined;
      await eventually(began, { everyMs: 20, ...LONG });
      process.kill(etcd, 'SIGKILL');
      expect(await ended).toMatchObject({
        code: 1,
        output: expect.stringContaining('No backup was written') as string,
      });
      expect(readdirSync(folder)).toEqual(was);
    },
    bringsSomethingNewer: async () => {
      await eventually(() => onHub.create<ManifestWork>(MANIFEST_WORK, newerWork()), LONG);
      await eventually(async () => (await appliedNewer()) && (await site.get(CONFIG_MAP, NEWER)), LONG);
      siteBefore = await onSite();
      expect(siteBefore.length).toBeGreaterThan(2);
    },
    losesTheHub: async () => {
      await hub.stop('SIGKILL');
      await rm(hub.dir, { recursive: true });
    },
    refusesWhatIsNotWhole: async () => {
      const [bytes, other] = [readFileSync(sealed), join(folder, 'other')];
      const from = (what: Buffer, ...key: string[]): [string, ...string[]] => {
        writeFileSync(other, what);
        return ['restore', other, ...key];
      };
      const key = ['--passphrase-file', passphrase];
      const changed = Buffer.from(bytes);
      changed[bytes.length - 2000] = (changed[bytes.length - 2000] ?? 0) ^ 1;
      await refuses('is no whole backup', ...from(bytes.subarray(0, bytes.length - 100), ...key));
      await refuses('is no whole backup', ...from(changed, ...key));
      await refuses('is no whole backup', ...from(readFileSync(plain).subarray(0, 50_000)));
      await refuses('is encrypted', ...from(bytes));
      await refuses('is not encrypted', 'restore', plain, ...key);
      const wrong = join(folder, 'wrong');
      writeFileSync(wrong, 'five other words');
      await refuses('does not open', 'restore', sealed, '--passphrase-file', wrong);
      expect(existsSync(hub.dir)).toBe(false);
    },
    restores: async () => {
      const ended = await act('restore', sealed, '--passphrase-file', passphrase);
      expect(ended).toMatchObject({ code: 0 });
      expect(statSync(hub.dir).mode & 0o077).toBe(0);
      expect(readdirSync(hub.dir).toSorted()).toEqual(['cert', 'data', 'ocmconfig.yaml', 'state']);
      await refuses('holds a hub already', 'restore', plain);
    },
    startsShut: async () => {
      await refuses('does not run', 'admit');
      await hub.start('nobody can come in');
      const names = (await stackProcesses(hub.dir)).map(({ name }) => name).toSorted();
      expect(names).toEqual(['etcd', 'hub-api-server', 'ocm-webhook', 'supervisor', 'webhook']);
      await expect(works()).rejects.toThrow('Unreachable');
      await refuses('holds a hub already', 'restore', plain);
      await refuses('are not admitted yet', 'backup', join(folder, 'another'));
    },
    refusesToAdmitUnseen: async () => {
      await refuses(`Nobody has looked at ${cluster}`, 'admit');
      await refuses('knows no cluster shop-0', 'admit', '--unseen', 'shop-0', '--unseen', cluster);
      writeFileSync(list, '{"items": []}');
      await refuses('is empty', 'admit', '--site', `${cluster}=${list}`);
      const args = ['--kubeconfig', kubeconfig, 'get', 'appliedmanifestworks', '-o', 'json'];
      writeFileSync(list, (await promisify(execFile)('kubectl', args)).stdout);
      const asked: [string, ...string[]] = ['admit', '--site', `${cluster}=${list}`];
      await refuses(
        `1. ${cluster}, newer: configmaps default/newer (the hub does not have this work`,
        ...asked,
      );
      const { output } = await act(...asked);
      [, seen = ''] = /go on with --lose ([\da-f]{10})\.$/m.exec(output) ?? [];
      await refuses('must be what was shown behind the list', ...asked, '--lose', '1');
      await refuses(`This is not the list of --lose 0123456789. `, ...asked, '--lose', '0123456789');
      await refuses(`go on with --lose ${seen}.`, ...asked);
    },
    isUntouched: async () => {
      await expect(works()).rejects.toThrow('Unreachable');
      expect((await appliedNewer())?.status?.evictionStartTime).toBeUndefined();
      expect(await onSite()).toEqual(siteBefore);
    },
    admits: async () => {
      const ended = await act('admit', '--site', `${cluster}=${list}`, '--lose', seen);
      expect(ended).toMatchObject({ code: 0 });
      await hub.says('The hub is running');
      // By this the agent has come in, and has seen that the hub does not have the work.
      await eventually(async () => (await appliedNewer())?.status?.evictionStartTime, LONG);
    },
    changedNothing: async () => {
      expect(await works()).toEqual(before);
      expect(Number((await onHub.list(MANIFEST_WORK)).resourceVersion)).toBeGreaterThan(1_000_000_000);
      expect(await onSite()).toEqual(siteBefore);
    },
    keepsWhatIsWrittenAgain: async () => {
      await onHub.create<ManifestWork>(MANIFEST_WORK, newerWork());
      const isKept = async (): Promise<true | undefined> =>
        (await appliedNewer())?.status?.evictionStartTime === undefined ? true : undefined;
      await eventually(isKept, LONG);
      expect(await onSite()).toEqual(siteBefore);
      // A work that is deleted before the agent has put its finalizer on leaves its objects for an hour.
      await eventually(async () => ((await isTakenUp()) ? true : undefined), LONG);
      await onHub.remove(MANIFEST_WORK, { namespace: cluster, name: NEWER.name });
      await eventually(async () => ((await appliedNewer()) === undefined ? true : undefined), LONG);
    },
  };
}
