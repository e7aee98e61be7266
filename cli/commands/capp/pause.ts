// `kubectl capp pause` and `resume`: freezes a Capp, and lets it go on.
import { setPaused } from '../../hub/acts/capp.ts';
import { readCapp } from '../../hub/objects/capps.ts';
import { acting, onHub, type Program } from '../command.ts';

export function addPause(program: Program): void {
  add(program, 'pause', {
    about: 'freeze a Capp: nothing is changed on any site until you resume it',
    isPaused: true,
    was: 'is paused already',
    done: 'is paused: nothing is changed on any site, and what runs goes on. Deletion is not paused',
  });
}

export function addResume(program: Program): void {
  add(program, 'resume', {
    about: 'let a paused Capp go on',
    isPaused: false,
    was: 'is not paused',
    done: 'goes on',
  });
}

interface Words {
  readonly about: string;
  /** What the Capp is to be. */
  readonly isPaused: boolean;
  readonly was: string;
  readonly done: string;
}

function add(program: Program, name: string, words: Words): void {
  onHub(program.root.command(name))
    .description(words.about)
    .argument('<capp...>', 'names, or namespace/name')
    .action(
      acting<object>(program, async ({ args, hub, terminal }) => {
        for (const text of args) {
          const capp = await readCapp(hub, text ?? '');
          const isSo = !(await setPaused(hub, capp, words.isPaused));
          terminal.out(`${capp.metadata.namespace}/${capp.metadata.name} ${isSo ? words.was : words.done}.`);
        }
        return 'done';
      }),
    );
}
