// What is seen of a site that has joined through the proxy of join-stage.ts: that its Capp answers, by which
// ways its agents come, that its token is spent, and that the credentials of the proxy are nowhere.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CAPP, type Capp } from '../../../../crds/capp/capp.ts';
import { tokenKey } from '../../../../crds/join/bootstrap-token.ts';
import { parseJoinLine } from '../../../../crds/join/join-line.ts';
import { SECRET } from '../../../../crds/kubernetes/core.ts';
import { MANAGED_CLUSTER_ADD_ON, MANIFEST_WORK } from '../../../../crds/ocm/ocm.ts';
import { askApp } from '../../../../deploy/local/cappstan/ask.ts';
import { awaitCapp } from '../../../../deploy/local/cappstan/sample.ts';
import { ingressHost } from '../../../../deploy/local/standins/ingress/address.ts';
import { stackProcesses } from '../../../../deploy/local/supervise/stack-processes.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { startApiServer } from '../api/api-server.ts';
import { filesIn, filesOfHub } from './files-seen.ts';
import { isSecret, refused, type JoinStage } from './join-stage.ts';
import { peersOf, processLines } from '../hub-command/processes-seen.ts';

const LONG = { withinMs: 240_000 };

const EDIT = [{ name: 'EDITED', value: 'while the proxy was away' }];

function edited(spec: Capp['spec'] | undefined): Capp['spec'] {
  if (spec === undefined) throw new Error('The Capp is gone.');
  const { configurationSpec } = spec;
  const { template } = configurationSpec;
  const containers = template.spec.containers.map((one) => ({ ...one, env: EDIT }));
  const changed = { ...template, spec: { ...template.spec, containers } };
  return { ...spec, configurationSpec: { ...configurationSpec, template: changed } };
}

/** It has joined as shop-7 in the directory a, beside the cluster's own one. */
export function proxiedSite({ folder, doors, hub, onHub, proxy }: JoinStage) {
  const dirOf = (name: string): string => join(folder, name);
  const gateway = `127.0.0.1:${doors.gateway}`;
  /** Of OCM's agent and ours. */
  const pidsOf = async (): Promise<readonly number[]> => {
    const all = [...(await stackProcesses(dirOf('a'))), ...(await stackProcesses(dirOf('cluster')))];
    return ['shop-7-ocm-agent', 'site-1-agent'].map((name) => all.find((one) => one.name === name)?.pid ?? 0);
  };
  return {
    async answers(capp: { readonly namespace: string; readonly name: string }) {
      const on = await awaitCapp(onHub, capp, { timeoutMs: LONG.withinMs, note: () => undefined });
      expect(on).toBe('shop-7');
      const args = ['--kubeconfig', hub.kubeconfig, '-n', 'hello', 'get', 'capp', 'hello'];
      const { stdout } = await promisify(execFile)('kubectl', args);
      expect(stdout).toMatch(/hello .*True .*shop-7|hello .*shop-7 .*True/);
      const { ingress = 0 } = JSON.parse(
        readFileSync(join(dirOf('cluster'), 'state', 'ports.json'), 'utf8'),
      ) as {
        readonly ingress?: number;
      };
      const address = { host: ingressHost('site-1'), port: ingress };
      expect(await askApp(address, 'hello.hello.site-1.localhost')).toMatchObject({ status: 200 });
    },
    async throughGateway() {
      const agent = (await stackProcesses(dirOf('cluster'))).find(({ name }) => name === 'site-1-agent');
      const environment = readFileSync(`/proc/${agent?.pid ?? 0}/environ`, 'utf8').split('\0');
      expect(environment).toContain(`DEFAULT_TEMPORAL_ADDRESS=${gateway}`);
      expect(environment.filter((one) => one.startsWith('TEMPORAL_TLS_'))).toEqual([]);
    },
    async byProxyAlone() {
      expect(proxy.tunnels).toEqual(
        expect.arrayContaining([`127.0.0.1:${doors.api}`, `127.0.0.1:${doors.gateway}`]),
      );
      const port = Number(new URL(proxy.url).port);
      for (const pid of await pidsOf()) {
        const ports = peersOf(pid);
        expect(ports).toContain(port);
        expect(ports).not.toContain(doors.api);
        expect(ports).not.toContain(doors.gateway);
      }
    },
    /** Of an edit while the proxy is away nothing is lost, and nobody starts an agent again. */
    async outlivesItsProxy(key: { readonly namespace: string; readonly name: string }) {
      const agents = await pidsOf();
      await proxy.dies();
      const seen = proxy.tunnels.length;
      const { spec, metadata } = await onHub.patch<Capp>(CAPP, key, {
        spec: edited((await onHub.get<Capp>(CAPP, key))?.spec),
      });
      const readyFor = async (): Promise<number | undefined> => {
        const { status } = (await onHub.get<Capp>(CAPP, key)) ?? {};
        const ready = status?.conditions?.find(({ type }) => type === 'Ready');
        return ready?.status === 'True' ? ready.observedGeneration : undefined;
      };
      // The hub has heard of it, and the site cannot.
      await eventually(async () => ((await readyFor()) === undefined ? true : undefined), LONG);
      await proxy.comesBack();
      await eventually(async () => ((await readyFor()) === metadata.generation ? true : undefined), LONG);
      expect(spec.configurationSpec.template.spec.containers[0]?.env).toEqual(EDIT);
      expect(new Set(proxy.tunnels.slice(seen))).toEqual(new Set([`127.0.0.1:${doors.api}`, gateway]));
      expect(await pidsOf()).toEqual(agents);
    },
    /** Nor can another cluster join by it. */
    async spentToken(line: string) {
      const { id } = parseJoinLine(line)?.token ?? { id: '' };
      const isGone = async (): Promise<true | undefined> =>
        (await onHub.getMetadata(SECRET, tokenKey(id))) === null ? true : undefined;
      await eventually(isGone, LONG);
      const other = await startApiServer();
      try {
        const args = ['--kubeconfig', other.kubeconfig, '--data-dir', dirOf('thief')];
        expect(await refused(['join', line, ...args])).toContain('does not know the token');
      } finally {
        await other.stop();
      }
    },
    async hidesCredentials() {
      const having = (texts: readonly string[]): string[] => texts.filter((text) => isSecret(text));
      // What etcd has is encrypted: the objects are read as the hub's administrator reads them.
      const files = filesOfHub(hub.dir);
      expect(files.filter((file) => isSecret(readFileSync(file, 'latin1')))).toEqual([]);
      const works = await onHub.list(MANIFEST_WORK);
      const addOns = await onHub.list(MANAGED_CLUSTER_ADD_ON);
      expect(works.items.length).toBeGreaterThan(0);
      expect(having([works, addOns].map((list) => JSON.stringify(list)))).toEqual([]);
      const logs = ['a', 'cluster'].flatMap((name) => filesIn(join(dirOf(name), 'logs')));
      expect(logs.filter((file) => isSecret(readFileSync(file, 'latin1')))).toEqual([]);
      expect(having(processLines())).toEqual([]);
    },
  };
}
