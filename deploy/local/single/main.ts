// `make site`: a cluster of its own in the foreground, for `cappstan join` to try.
import { relative } from 'node:path';
import { stopStack } from '../down.ts';
import { runCommand, type Progress } from '../terminal.ts';
import { runAddOn } from './add-on.ts';
import { startSingleSite, type SingleSite } from './site.ts';

const dir = process.argv[2] ?? '.site';

async function main(progress: Progress): Promise<void> {
  process.umask(0o077);
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
  try {
    const site = await Promise.race([startSingleSite(dir, process.pid, progress), interrupted(stop.signal)]);
    if (site === null) return;
    progress.say(`\n${nextSteps(site)}`);
    await runAddOn(site, stop.signal, (line) => progress.say(line));
  } finally {
    await progress.step('Stopping the cluster', (note) => stopStack(dir, note));
  }
}

function interrupted(stop: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    stop.addEventListener('abort', () => resolve(null));
  });
}

function nextSteps({ cluster, ingress }: SingleSite): string {
  return [
    'The cluster is running, and has no hub yet:',
    `  kubeconfig  ${relative(process.cwd(), cluster.kubeconfig)}`,
    `  apps        at ${ingress.host}:${ingress.port}`,
    '',
    `It runs until Ctrl-C, and goes on from here when it is started again. rm -r ${dir} deletes it.`,
  ].join('\n');
}

await runCommand(main);
process.exit();
