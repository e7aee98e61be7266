// The page: comes in, follows the address, and draws the view that it names.
import { render } from 'preact';
import { useSignal, useSignalEffect } from '@preact/signals';
import type { MissingObject } from '../feed/picture.ts';
import type { AppView } from '../view/app.ts';
import type { RolloutModel } from '../view/rollout/rollouts.ts';
import { address } from './address.ts';
import { comeIn } from './entry.ts';
import { Frame } from './frame.tsx';
import { programBehind } from './hub.ts';
import { listenToKeys } from './keys.ts';
import { Nothing, Since } from './parts/words.tsx';
import { entries, followAddress, link, type Entries } from './picture.ts';
import { letIn } from './program.ts';
import { App } from './views/app.tsx';
import { Apps } from './views/apps.tsx';
import { Drains } from './views/drains.tsx';
import { Fleet } from './views/fleet.tsx';
import { Rollout } from './views/rollout.tsx';
import { Rollouts } from './views/rollouts.tsx';
import { TimeLine } from './views/time-line.tsx';

const TITLES: Readonly<Record<string, string>> = {
  fleet: 'Fleet',
  apps: 'Apps',
  rollouts: 'Rollouts',
  drains: 'Drains',
  time: 'Time line',
};

function View({ entries: shown }: { readonly entries: Entries }) {
  const { view, names } = address.value;
  const missing = shown.get('missing') as MissingObject | undefined;
  if (missing !== undefined) return <Gone name={names.join('/')} {...missing} />;
  const app = shown.get('app') as AppView | undefined;
  if (app !== undefined) return <App app={app} />;
  const rollout = shown.get('rollout') as RolloutModel | undefined;
  if (rollout !== undefined) return <Rollout rollout={rollout} />;
  switch (view) {
    case 'fleet':
      return <Fleet entries={shown} />;
    case 'apps':
      return <Apps entries={shown} />;
    case 'rollouts':
      return <Rollouts entries={shown} />;
    case 'drains':
      return <Drains entries={shown} />;
    case 'time':
      return <TimeLine entries={shown} />;
    default:
      return <Nothing>There is no view {view}. The views stand above.</Nothing>;
  }
}

function Gone({ name, goneAt }: { readonly name: string } & MissingObject) {
  return (
    <>
      <h1>{name}</h1>
      <Nothing>
        {goneAt === null ? (
          <>There is no {name} here that you may read.</>
        ) : (
          <>
            {name} was deleted <Since time={goneAt} /> ago.
          </>
        )}
      </Nothing>
    </>
  );
}

function Page() {
  if (link.value === 'locked') return <Locked />;
  const { view, names } = address.value;
  const title = names.length === 0 ? (TITLES[view] ?? view) : names.slice(-2).join('/');
  return (
    <Frame>
      <Titled title={title} isSpoken={names.length < 2} />
      {entries.value === null ? <Patience /> : <View entries={entries.value} />}
    </Frame>
  );
}

/** A view that names an object says its own name. */
function Titled({ title, isSpoken }: { readonly title: string; readonly isSpoken: boolean }) {
  document.title = `${title} · Cappstan`;
  return isSpoken ? <h1>{title}</h1> : null;
}

/** What comes within a moment needs no word of its own. */
function Patience() {
  const isLate = useSignal(false);
  useSignalEffect(() => {
    const timer = setTimeout(() => (isLate.value = true), 200);
    return () => clearTimeout(timer);
  });
  return isLate.value ? <Nothing>Asking the hub…</Nothing> : null;
}

function Locked() {
  return (
    <main class="locked">
      <h1>This tab is not let in</h1>
      <p>
        The address that <code>kubectl capp dashboard</code> printed works once, in one browser. Run it again,
        and open the address that it prints.
      </p>
    </main>
  );
}

async function begin(): Promise<void> {
  const place = document.getElementById('page');
  if (place === null) return;
  const key = await comeIn().catch(() => null);
  if (key === null) link.value = 'locked';
  else {
    const program = programBehind(key);
    letIn(program);
    followAddress(program);
    listenToKeys();
  }
  render(<Page />, place);
}

void begin();
