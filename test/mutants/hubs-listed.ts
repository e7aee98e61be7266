// Faults in the list of a machine's hubs.
import type { Mutant } from './mutant.ts';

const SEEN = { seenBy: ['test/unit/deploy/hub/hubs/look.test.ts'] };
const BELIEVED = 'test/unit/deploy/hub/hubs/believed.test.ts';

export const HUBS_LISTED: readonly Mutant[] = [
  {
    ...SEEN,
    breaks: 'a hub that lets nobody in is listed as one that runs',
    file: 'deploy/hub/hubs/state.ts',
    inside: 'stateOf',
    text: 'if (isShut)',
    becomes: 'if (isShut && processes.length > 9)',
  },
  {
    ...SEEN,
    breaks: 'a hub that is starting is listed as one that runs',
    file: 'deploy/hub/hubs/state.ts',
    inside: 'stateOf',
    text: '!processes.some(({ name }) => name === LAST)',
    becomes: 'processes.length === 0',
  },
  {
    ...SEEN,
    breaks: 'a hub whose files are torn hides all others',
    file: 'deploy/hub/hubs/look.ts',
    inside: 'lookAt',
    text: 'return { ...outside, problem: reasonOf(error) };',
    becomes: 'throw error;',
  },
  {
    ...SEEN,
    breaks: 'a hub does not start for a user without a home',
    file: 'deploy/hub/hubs/known.ts',
    inside: 'rememberStart',
    text: '  } catch {',
    becomes: '  } catch (error) {\n    throw error;',
  },
  {
    ...SEEN,
    breaks: 'hubs that were deleted are kept for ever',
    file: 'deploy/hub/hubs/known.ts',
    inside: 'rememberStart',
    text: 'if (isDeleted(known)) rmSync(file, { force: true });',
    becomes: 'continue;',
  },
  {
    breaks: 'root starts the program that any user names in a kubeconfig',
    file: 'deploy/hub/hubs/look.ts',
    inside: 'lookAt',
    text: 'problem === null ?',
    becomes: 'problem !== directory ?',
    seenBy: [BELIEVED],
  },
  {
    breaks: 'what another user has written is believed where only that user can write',
    file: 'deploy/hub/hubs/believed.ts',
    inside: 'disbeliefIn',
    text: 'if (foreign !== undefined)',
    becomes: 'if (foreign === steps[0] && foreign !== undefined)',
    seenBy: [BELIEVED],
  },
  {
    breaks: 'a data directory like /tmp is believed, in which anybody makes the files that are missing',
    file: 'deploy/hub/hubs/believed.ts',
    inside: 'disbeliefIn',
    text: 'isAbove && ',
    becomes: '',
    seenBy: [BELIEVED],
  },
  {
    ...SEEN,
    breaks: 'a folder of anybody writes on the terminal of whoever lists hubs',
    file: 'deploy/hub/hubs/text.ts',
    inside: 'rowOf',
    text: 'printable(String(cell))',
    becomes: 'String(cell)',
  },
  {
    ...SEEN,
    breaks: 'a hub is forgotten for ever while its disk is not mounted',
    file: 'deploy/hub/hubs/known.ts',
    inside: 'isDeleted',
    text: 'beside.length > 0 && ',
    becomes: '',
  },
  {
    ...SEEN,
    breaks: 'a disk that does not answer counts as one without a hub',
    file: 'deploy/hub/hubs/known.ts',
    inside: 'isHub',
    text: '? false : null',
    becomes: '? false : false',
  },
];
