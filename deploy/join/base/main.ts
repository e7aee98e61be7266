// `cappstan base`: what a site needs of others.
import { runCommand, type Progress } from '../../local/terminal.ts';
import { addressOf, PUBLISHED, type Published } from '../../local/published/pins.ts';
import { openSite, refuseWithoutRights } from '../site.ts';
import { bringBase, checkBase, sayBase } from './base.ts';
import { baseAskedBy, HELP, type BaseCommand } from './command-line.ts';
import { bundleText, manifestText } from './text.ts';

async function main(screen: Progress): Promise<void> {
  const asked = baseAskedBy(process.argv.slice(3));
  if (asked.what === 'help') return screen.say(HELP);
  if (asked.what === 'list') return screen.say(list());
  if (asked.what === 'print') return out(await manifestText(asked.wishes));
  if (asked.what === 'bundle') return out(await bundleText(asked, asked.wishes));
  return brought(asked, screen);
}

async function brought(
  { kubeconfig, isDryRun, wishes }: Extract<BaseCommand, { what: 'base' }>,
  screen: Progress,
): Promise<void> {
  const site = openSite(kubeconfig);
  try {
    await refuseWithoutRights(site);
    const base = await checkBase({ site, kubeconfig }, wishes, isDryRun);
    if (!isDryRun) return await bringBase(site, base, screen);
    sayBase(base, screen);
    screen.say('Nothing was written.');
  } finally {
    await site.close();
  }
}

function list(): string {
  const all: readonly Published[] = Object.values(PUBLISHED);
  return all.map((one) => `${one.sha256}  ${one.file}  ${addressOf(one)}`).join('\n');
}

/** Standard output has nothing else, so that it can be piped. */
function out(text: string): Promise<void> {
  return new Promise((done, fail) => {
    process.stdout.write(text, (error) => (error == null ? done() : fail(error)));
  });
}

await runCommand(main);
process.exit();
