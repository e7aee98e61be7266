// Advice for the reasons of the condition Migrating: whether a Capp leaves its site, and what it waits for.
import type { HubReason } from '../../../crds/capp/conditions.ts';
import { GOES_ON, LOOK, MOVE, NOTHING, WATCH, type Advice } from './advice.ts';

export const MIGRATING = {
  Moving: { words: 'The Capp is moving to another site.', remedy: GOES_ON, command: WATCH },
  PermitAsked: {
    words: 'The Capp leaves with others, and waits for its turn.',
    remedy: 'If this lasts, the drain of the site is paused or its lanes are full.',
    command: WATCH,
  },
  NotMoving: { words: 'The Capp has no reason to leave its site.', remedy: NOTHING, command: LOOK },
  NotSelected: {
    words: 'No placement selects the site any more, and the Capp stays all the same.',
    remedy: 'Ask for a move, or set spec.migration.policy to Follow.',
    command: MOVE,
  },
  Unfit: {
    words: 'The site does not fit spec.requires any more, and the Capp stays all the same.',
    remedy: 'Ask for a move, correct spec.requires, or set spec.migration.policy to Follow.',
    command: MOVE,
  },
  FleetUnhealthy: {
    words:
      'The Capp is unhealthy, and so are too many others, or one with its images on another site: no site is to blame, and none moves.',
    remedy: 'Mend what they share, such as a registry or a dependency, or ask for a move.',
    command: MOVE,
  },
  Unhealed: {
    words: 'The Capp is unhealthy, and a move did not heal it: the app is to blame, or what it needs.',
    remedy: 'Read what both sites say and correct the Capp, or ask for a move.',
    command: LOOK,
  },
  Manual: {
    words: 'The Capp should leave, and its policy is Manual.',
    remedy: 'Ask for a move.',
    command: MOVE,
  },
  Stabilising: {
    words: 'The reason to leave has to hold for a while.',
    remedy: 'Wait, or ask for a move.',
    command: MOVE,
  },
  CoolDown: {
    words: 'The Capp moved a short while ago, and stays for now.',
    remedy: 'Wait, or ask for a move: the cool-down does not hold that back.',
    command: MOVE,
  },
  AwaitsConfirmation: {
    words: 'The old copy may still run on a site that cannot be reached, and only one may run.',
    remedy: 'Make sure that it is stopped there, and then confirm it.',
    command: 'kubectl capp move {name} <new site> --force -n {namespace}',
  },
  MoveRefused: {
    words: 'The move that was asked for cannot be made.',
    remedy: 'The message says why; ask for another site.',
    command: MOVE,
  },
  Paused: {
    words: 'Somebody has paused the Capp: nothing is changed on any site.',
    remedy: 'Resume it.',
    command: 'kubectl capp resume {name} -n {namespace}',
  },
} as const satisfies Partial<Record<HubReason, Advice>>;
