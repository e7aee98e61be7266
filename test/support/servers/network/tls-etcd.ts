// An etcd of somebody else's behind mutual TLS, which can be taken back to what it was.
import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { snapshotOf } from '../../../../deploy/hub/backup/snapshot.ts';
import { etcdGuard, guardedEtcd, type EtcdAccess } from '../../../../deploy/local/kubernetes/etcd.ts';
import { openPki } from '../../../../deploy/local/kubernetes/pki.ts';
import { toolPath } from '../../../../deploy/local/programs/tools.ts';
import { openPorts } from '../../../../deploy/local/supervise/ports.ts';
import { beginServer, endServer } from '../api/server-process.ts';

export interface TlsEtcd {
  readonly access: EtcdAccess;
  /** The flags of a hub that keeps its objects in it. */
  readonly flags: readonly string[];
  /** Keeps what it holds now, as `etcdctl snapshot save` does. */
  save(): Promise<void>;
  /** Is again as it was when it was saved, at the same address. */
  goBack(): Promise<void>;
  stop(): Promise<void>;
}

export async function startTlsEtcd(): Promise<TlsEtcd> {
  const dir = await mkdtemp(join(tmpdir(), 'cappstan-etcd-'));
  const ports = await openPorts(join(dir, 'ports.json'));
  const guard = await etcdGuard(await openPki(join(dir, 'pki')), await ports.of('health'));
  const [clientPort, peerPort] = [await ports.of('client'), await ports.of('peer')];
  const at = (folder: string) =>
    guardedEtcd({ binary: toolPath('etcd'), dataDir: join(dir, folder), clientPort, peerPort }, guard);
  const first = at('data');
  const access = first.access('/unused');
  const tls = { ca: guard.authority, pair: guard.clients };
  let running = await beginServer(first.spec, dir);
  const file = join(dir, 'snapshot');
  return {
    access,
    flags: [
      '--etcd-mode=external',
      `--etcd-servers=${first.endpoint}`,
      `--etcd-ca-file=${tls.ca}`,
      `--etcd-cert-file=${tls.pair.cert}`,
      `--etcd-key-file=${tls.pair.key}`,
    ],
    save: async () => {
      const { content } = await snapshotOf({ server: first.endpoint, tls });
      await pipeline(content, createWriteStream(file));
    },
    goBack: async () => {
      await endServer(running);
      const { spec } = at('back');
      const asked = spec.args.filter((arg) => /^--(name|data-dir|initial-)/.test(arg));
      // As docs/recover.md says.
      const bump = ['--bump-revision=1000000000', '--mark-compacted'];
      await promisify(execFile)(toolPath('etcdutl'), ['snapshot', 'restore', file, ...asked, ...bump]);
      running = await beginServer(spec, dir);
    },
    stop: async () => {
      await endServer(running);
      await rm(dir, { recursive: true, force: true });
    },
  };
}
