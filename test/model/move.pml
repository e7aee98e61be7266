/*
 * The move of a Capp between two sites, as small as it can be: one workflow, the tries of its removals, and
 * everybody else who writes meanwhile. docs/model.md says which line stands for which code.
 *
 * MOVES: how often the Capp is told to leave. FAILURES: how often a copy that was Ready fails. HANDS: how
 * often somebody deletes a work by hand. LATE: a try may go on after the workflow has given it up, as a
 * process that was stopped and goes on. Each name that begins with WITHOUT leaves one guard out.
 */
#ifndef MOVES
#define MOVES 2
#endif
#ifndef FAILURES
#define FAILURES 0
#endif
#ifndef HANDS
#define HANDS 0
#endif
#ifndef LATE
#define LATE 0
#endif
#ifndef LIES
#define LIES 0
#endif
#define NONE 2
#define OTHER(site) (1 - (site))

/* The hub: the ManifestWork on each site (its incarnation, 0 is none), and where the status says it serves. */
byte work[2];
bool going[2];
byte told = NONE;
byte made;
/* The sites: whether the work that is there is Ready, and was. */
bool ready[2];
bool wasReady[2];
/* It failed since its agent was last heard, or users were sent there. */
bool failed[2];
/* What the workflow knows: where it serves, what it shipped, and what agents said of exactly that. */
byte serving = NONE;
byte stamp[2];
bool heard[2];
/* The try that counts, and what it came to. */
byte current;
mtype = { Open, Begun, Objected };
mtype answer = Open;

byte moves = MOVES;
byte failures = FAILURES;
byte hands = HANDS;
byte lies = LIES;

#define isThere(site) (work[site] != 0 && !going[site])

inline ship(site) {
  atomic {
    if
    :: going[site] -> skip
    :: !going[site] && work[site] != 0 -> stamp[site] = work[site]
    :: work[site] == 0 ->
      made++;
      work[site] = made;
      ready[site] = false;
      wasReady[site] = false;
      stamp[site] = made
    fi;
    heard[site] = false
  }
}

/* The agent of a site answers for exactly what was shipped. */
inline hear(site) {
  atomic {
    heard[site] = (work[site] == stamp[site] && isThere(site) && ready[site]);
    failed[site] = false
  }
}

#define isMeddled (hands < HANDS || lies < LIES)
/* Nothing is promised against a late try and a person at once. */
#define isBoth (LATE && hands < HANDS)

/* What is promised when a removal begins; "left" is how many hands were left when it was checked. */
inline promise(site, left) {
  /* Something of the Capp stays, unless a person deletes it in that moment. */
  assert(isThere(OTHER(site)) || hands != left || isBoth);
  /* Users are not where it is removed. */
  assert(told != site || isBoth);
  /* What stays has served. */
  assert(wasReady[OTHER(site)] || isMeddled);
  /* It serves now, unless it failed after users were sent there and its agent had last said so. */
  assert(ready[OTHER(site)] || isMeddled || failed[OTHER(site)])
}

/* Users are sent to another site. */
inline send(site) {
  atomic {
    assert(wasReady[site] || isMeddled);
    serving = site;
    told = site;
    failed[site] = false
  }
}

/* The guards of a removal. */
#ifdef WITHOUT_TARGET
#define isOrdered(seen, ordered) true
#else
#define isOrdered(seen, ordered) (seen == ordered)
#endif
#ifdef WITHOUT_STATUS
#define saysServing(site) true
#else
#define saysServing(site) (told == site)
#endif
#ifdef WITHOUT_STAYING
#define stays(site, confirmed) true
#else
#define stays(site, confirmed) (isThere(site) && work[site] == confirmed)
#endif
#ifdef WITHOUT_UID
#define isSeen(site, seen) true
#else
#define isSeen(site, seen) (work[site] == seen)
#endif
#define mayGoOn (LATE || current == me)

/* One try of a removal: three reads, one after the other, and a deletion of what the first one saw. */
proctype Try(byte me; byte site; byte ordered; byte staying; byte confirmed) {
  byte seen;
  byte handsSeen;
  mtype found = Begun;
  atomic {
    if
    :: !mayGoOn -> goto over
    :: else -> seen = work[site]; handsSeen = hands
    fi
  }
  if
  :: seen == 0 || isOrdered(seen, ordered) -> skip
  :: else -> found = Objected
  fi;
  atomic {
    if
    :: !mayGoOn -> goto over
    :: mayGoOn && !saysServing(staying) -> found = Objected
    :: else -> skip
    fi
  }
  atomic {
    if
    :: !mayGoOn -> goto over
    :: mayGoOn && !stays(staying, confirmed) -> found = Objected
    :: else -> handsSeen = hands
    fi
  }
  atomic {
    if
    :: !mayGoOn -> goto over
    :: mayGoOn && found == Objected -> skip
    :: mayGoOn && found == Begun && isThere(site) && isSeen(site, seen) ->
      promise(site, handsSeen);
      going[site] = true
    :: else -> skip
    fi;
    if
    :: current == me -> answer = found
    :: else -> skip
    fi
  }
over:
  skip
}

/* The removal is tried until one try answers. The server gives a try up and begins another. */
inline remove(site, staying) {
  do
  :: atomic {
      current++;
      answer = Open;
      run Try(current, site, stamp[site], staying, stamp[staying])
    }
    if
    :: answer != Open -> break
    :: current < 200 && lost < 1 -> lost++
    fi
  od
}

inline awaitGone(site) {
  work[site] == 0 || !going[site]
}

active proctype Workflow() {
  byte from;
  byte to;
  byte lost;
  /* The first rollout: users are sent to the only copy whatever becomes of it. */
  serving = 0;
  told = 0;
  ship(0);
  do
  :: hear(0);
    if
    :: heard[0] -> break
    :: !heard[0] -> skip
    fi
  od;
end:
  do
  :: moves > 0 ->
    moves--;
    from = serving;
    to = OTHER(from);
    (work[to] == 0 || !going[to]);
    ship(to);
    /* The new copy is watched until it is Ready, or the move is given up. */
#ifndef WITHOUT_READY
    do
    :: hear(to);
      if
      :: heard[to] -> break
      :: !heard[to] -> skip
      fi
    :: moves < MOVES && work[to] != stamp[to] -> ship(to)
    :: !heard[to] -> goto abandon
    od;
#endif
    send(to);
    /* Its agent confirms it once more. Without that nothing goes. */
confirm:
#ifndef WITHOUT_CONFIRMATION
    hear(to);
    if
    :: heard[to] -> skip
    :: !heard[to] && !(isThere(to)) -> ship(to); goto confirm
    :: !heard[to] && isThere(from) -> goto back
    :: !heard[to] -> goto confirm
    fi;
#endif
    remove(from, to);
    if
    :: answer == Begun -> awaitGone(from)
    :: answer == Objected -> goto confirm
    fi;
    goto end;
back:
    /* Users return, if the old copy serves. */
    hear(from);
    if
    :: heard[from] -> send(from); goto abandon
    :: !heard[from] -> goto confirm
    fi;
abandon:
    /* The copy that nobody wants goes when the one that serves is confirmed. */
    hear(from);
    if
    :: heard[from] -> skip
    :: !heard[from] && !isThere(from) -> ship(from); goto abandon
    :: !heard[from] -> goto abandon
    fi;
    remove(to, from);
    if
    :: answer == Begun -> awaitGone(to)
    :: answer == Objected -> goto abandon
    fi;
    goto end
  :: moves == 0 -> break
  od;
  /* The move is over: one copy, where users are. */
  assert(told == serving);
  assert(isThere(serving) || isMeddled)
}

active proctype Site0() {
end:
  do
  :: atomic { isThere(0) && !ready[0] -> ready[0] = true; wasReady[0] = true }
  :: atomic { ready[0] && failures > 0 -> failures--; ready[0] = false; failed[0] = true }
  :: atomic { going[0] -> work[0] = 0; going[0] = false; ready[0] = false; wasReady[0] = false }
  od
}

active proctype Site1() {
end:
  do
  :: atomic { isThere(1) && !ready[1] -> ready[1] = true; wasReady[1] = true }
  :: atomic { ready[1] && failures > 0 -> failures--; ready[1] = false; failed[1] = true }
  :: atomic { going[1] -> work[1] = 0; going[1] = false; ready[1] = false; wasReady[1] = false }
  od
}

/* Whoever may start workflows orders removals at will. Here such a try takes no time. */
active proctype Liar() {
  byte site;
end:
  do
  :: atomic {
      lies > 0 -> lies--;
      if
      :: site = 0
      :: site = 1
      fi;
      if
      :: isThere(site) && saysServing(OTHER(site)) && stays(OTHER(site), work[OTHER(site)]) ->
        assert(told != site);
        assert(isThere(OTHER(site)));
        going[site] = true
      :: else -> skip
      fi
    }
  od
}

active proctype Somebody() {
end:
  do
  :: atomic { hands > 0 && isThere(0) -> hands--; going[0] = true }
  :: atomic { hands > 0 && isThere(1) -> hands--; going[1] = true }
  od
}
