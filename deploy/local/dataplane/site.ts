// The door of a site's data plane on this machine: `node deploy/local/dataplane/site.ts`, with the settings
// of settings.ts.
//
// It runs inside.ts in namespaces of its own, where nothing of the machine's network is, and passes
// connections on: of the site's API server in, of its apps' users and of its API server to Knative's webhook
// out.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { readConfig } from '../../../workers/process/config.ts';
import { createLog, type Logger } from '../../../workers/process/log.ts';
import { run, stopAsked } from '../../../workers/process/stop.ts';
import { IN_NEW_NAMESPACES } from './network/namespaces.ts';
import { byTls, DOORS, relay, relayByFirstBytes } from './network/relay.ts';
import { endpoint, SETTINGS } from './settings.ts';

let log: Logger | null = null;

async function main(): Promise<void> {
  const config = readConfig(SETTINGS);
  const logger = createLog('data-plane-door', config.LOG_LEVEL);
  log = logger;
  await relay({ path: DOORS.api }, () => endpoint(config.API_ADDRESS));
  await relay(endpoint(config.HEALTH_ADDRESS), () => ({ path: DOORS.health }));
  await relay(endpoint(config.WEBHOOK_ADDRESS), () => ({ path: DOORS.webhook }));
  await relayByFirstBytes(
    endpoint(config.INGRESS_ADDRESS),
    byTls({ path: DOORS.https }, { path: DOORS.http }),
  );
  const end = await Promise.race([stopAsked(), insideEnds(Object.keys(SETTINGS))]);
  if (end !== 'SIGTERM' && end !== 'SIGINT') throw new Error(`The data plane ended: ${end}.`);
  process.exit(0);
}

/** Resolves to how it ended. It ends at the latest with this process, whose pipe is its standard input. */
function insideEnds(settings: readonly string[]): Promise<string> {
  const names = ['PATH', 'HOME', 'NODE_COMPILE_CACHE', 'CAPPSTAN_CACHE', 'KUBECONFIG', ...settings];
  // Without the variables by which the supervisor knows its processes: this one is the only one it knows.
  const env = Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
  const [command, ...flags] = IN_NEW_NAMESPACES;
  const program = [process.execPath, '--max-old-space-size=128', join(import.meta.dirname, 'inside.ts')];
  const child = spawn(command, [...flags, ...program], { env, stdio: ['pipe', 'inherit', 'inherit'] });
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
}

run(main, () => log);
