/// The example scenario that `triggerbench init` writes. Its comments explain the format.
package enum ScenarioTemplate {
  package static let text = """
    # A scenario: a story about a phone, its reminders, and their expected behaviour.
    # 'triggerbench run FILE' replays it; 'triggerbench schema' gives editors every key and word.
    kind: scenario                       # files of other kinds are skipped
    version: 1
    title: Milk on the way home          # the story in one line
    description: >-
      Somebody wants to be reminded of the milk at the shop, on a workday, after work, while the
      phone charges in the car. On Monday the phone is not plugged in; on Tuesday it is.

    start: 2026-03-02T07:00              # local time in the zone below
    zone: Europe/Berlin
    for: 3 days                          # or 'end: 2026-03-05T07:00'; if missing, the day of the last entry
    profile: ideal                       # what the phone tells the app: ideal, ios or android
    # knobs: {pendingEviction: soonest}  # settings of the profile ('triggerbench rules' lists them)
    # seed: 42                           # chooses the random numbers; 0 if missing
    phone: {notifications: authorized, location: always}
    #                                    # its initial state: 'at: home', 'pluggedIn: true', 'battery: 5 %',
    #                                    # 'locked: false'; recordings provide missing keys
    # include: packs/mine.yaml           # declarations that several scenarios share: a pack is a file
    #                                    # with 'kind: pack'. The scenario overrides its packs,
    #                                    # 'NAME: none' removes a name ('init --pack fitme' writes an example).
    #                                    # 'include: many.ndjson' has reminders, one object per line, with "name"

    # What the app knows: a first value (false, 12.5, 2026-03-01T10:00, 2026-03-01), a kind without a value
    # (truth, number, instant, date), or a list of names. The long form has keys; a 'source' is something
    # that the user can forbid the app to read ('whenUnreadable': the value of the fact then).
    facts:
      account.signedIn: false
      protein.current: {kind: number, initial: 20, source: health}
      protein.target: 90
      onboarding: 2026-02-28T18:00
      plan: [free, trial, paid]

    apps: [maps, music]                  # other apps that triggers and the time line name

    places:                              # circles; iOS watches 20 at a time
      shop: {at: [52.5200, 13.4050], radius: 150 m}
      home: {at: [52.5010, 13.3900], radius: 100 m}

    # A reminder has one trigger or a list ('when': any of them makes the engine evaluate it), conditions
    # ('if': all must hold at that moment; there is no 'or'), and what it shows ('notify').
    #   triggers     unlock · charging starts · charging stops · open · open app APP · enter PLACE ·
    #                exit PLACE · fact FACT changes · on DATE TIME · every weekday 08:10 ·
    #                every monday, friday 08:10 · every 2 weeks on monday 09:00 from 2026-03-02 ·
    #                every day 08:00, 20:00 · every 2 h from 09:00 until 21:00 (21:00 is not included) ·
    #                first monday of the month 09:00 · last friday 17:00 · monthly on 31 at 09:00 skip omit ·
    #                last weekday of the month 16:00 · yearly on 02-29 at 09:00 ('not before 2026-04-01' says
    #                when it begins, '5 times' or 'until 2026-12-31' when it ends, 'except 2026-12-24' leaves
    #                out dates, 'in Europe/Berlin' keeps to that zone wherever the phone is;
    #                'ahead 5' hands five of them to the system, 'ahead repeating' one that it repeats) ·
    #                7 days after FACT at 09:00 · 30, 7, 0 days before FACT every year at 09:00 (handed to
    #                the system immediately, and again when the fact changes) ·
    #                closed for 3, 5, 7 days at 18:00 (days on which nobody opened the app)
    #   conditions   charging · not charging · weekdays · weekend · on monday, tuesday · after 16:00 ·
    #                before 10:00 · between 09:00 and 17:00 · inside PLACE · outside PLACE ·
    #                FACT is false · FACT / FACT < 50 % · age(FACT) <= 12 h · days since FACT in 2, 5, 10
    #   'withdraw'   comparisons of facts, such as account.signedIn is true: as soon as one holds, pending
    #                requests are withdrawn
    reminders:
      milk:
        when: enter shop
        if: [charging, weekdays, after 16:00]
        notify: {title: Buy milk, link: "app://action/list", bucket: user}
      protein:
        when: [unlock, open app maps]
        if:
          - after 16:00
          - protein.current / protein.target < 50 % else staleData   # the reason that a miss reports
        repeat: daily                    # once, daily, weekly, monthly or always
        notify:
          title: Half of your protein is still to come
          usefulFor: 4 h
          criticalIf: protein.current < 5   # then its bucket is critical; standard if 'bucket' is missing
      account:
        when: {scheduled: {frequency: daily, start: 2026-03-02, at: 10:00}}   # a long form, with keys
        if: [account.signedIn is false, "days since onboarding in 3, 7, 14"]
        repeat: always
        notify: {type: registration, stages: [{title: Keep your data}, {title: Still a guest}]}

    # Items of one kind are declared together, and 'for: each plant' makes a reminder for each of them,
    # called 'water for basil'.
    #   items: {plant: {attributes: {room: [hall, den], watered: instant}, list: {basil: {room: hall}}}}
    #   water: {for: each plant, when: 7 days after plant.watered at 09:00, notify: "Water {plant}"}

    # Declarations that can replace a reminder in the time line.
    edits:
      milk:
        anytime: {when: enter shop, notify: {title: Buy milk, bucket: user}}

    policy:                              # missing keys keep their defaults
      quietHours: 22:00-07:00            # or none
      dailyCap: 3                        # or none
      minimumInterval: 4 h
      lifetimeCap: {registration: 3}
      # typeWeeklyCaps: {protein: 5}     # by calendar week; 'weekStart: sunday' for another first day
    # preferences: {off: [protein], dailyCap: 2}   # what the person has chosen in the app's settings

    # Who handles the links that taps follow; without it, their destination is not modelled. {name} is one
    # word of a path, {rest...} the rest of it. 'domains' lists the https links that belong to the app.
    #   links: {schemes: [app], hosts: [action, auth], domains: [app.example]}
    #   consumers: {lists: "action/{list|shop}", account: "auth/{rest...}"}

    # What the app does itself: priming for permissions, milestones, locked parts, and its analytics.
    #   milestones: {firstList: {when: fact lists changes, prime: first_list}}
    #   surfaces: {insights: {unlockedBy: account.signedIn is true, benefit: See how your weeks went}}
    #   analytics: {consent: granted}

    # Goals of the product: a figure, its target, and the bound at which it is given up. Taps are unknown for
    # reminders that the time line never taps, dismisses or ignores.
    # gates: ["tapThrough >= 25 %, kill < 5 % after 30 days"]

    # What happens, from top to bottom, in the local time where the phone is. A time without a
    # date belongs to the day of the entry above. A long form has 'at' or 'every', and 'do'.
    #   when     08:10 · 08:10:30 · next day 07:00 · day 3 08:10 · 2026-03-04 08:10 · +1h30m (after the
    #            start) · every weekday 08:10 from day 2 until day 5 (day 5 is not included) ·
    #            every 15 min from 08:00 until 20:00
    #   actions  unlock · lock · plug in · unplug · battery 80 % · open · leave · force quit · terminate ·
    #            open app APP · enter PLACE · exit PLACE · at [52.5, 13.4] · at PLACE accuracy 10 m ·
    #            set FACT = VALUE · forget FACT · travel to ZONE · set clock +1 h · reboot · power off ·
    #            power on · focus on · airplane mode on · low power mode on · background refresh off ·
    #            grant notifications · deny notifications · notifications provisional · prompt denied ·
    #            location whenInUse · precise location off · next add fails · next 3 adds fail · reinstall ·
    #            tap REMINDER · dismiss REMINDER · ignore REMINDER · clear notifications · summary on ·
    #            pull notification centre · system sheet · snooze REMINDER for 1 h ·
    #            force stop · update app · location services off · exact alarms on · channel TYPE silent ·
    #            snooze REMINDER until 18:00 · cancel REMINDER · cancel all · edit REMINDER to NAME ·
    #            create REMINDER (declared with 'exists: later') · delete REMINDER · remove plant basil ·
    #            add plant ivy {room: den} ·
    #            complete REMINDER (it counts its days from now) · complete all TEMPLATE in ROOM ·
    #            deny reading SOURCE · allow reading SOURCE · prime CONTEXT · skip priming · visit SURFACE ·
    #            create account from SURFACE · maybe later · give consent · withdraw consent ·
    #            turn off TYPE · turn on all notifications · own daily cap 2 (in the app's settings)
    #   files    {gpx: FILE} · {ndjson: FILE, at: 17:00} · {aware: {battery: FILE, screen: FILE}} ·
    #            {gpx: FILE, at: 17:00, speed: 5 km/h} (a track without times) · track: 2 (of several) ·
    #            longestGap: 1 h (between fixes farther apart nothing is crossed) · accuracyLimit: 50 m
    timeline:
      - every weekday 08:10 unlock
      - 17:40 enter shop                 # not charging: no reminder
      - 17:55 exit shop
      - day 2 10:05 set account.signedIn = true
      - at: day 2 17:30                  # the long form
        do: [plug in, {battery: 40 %}]
      - day 2 17:40 enter shop
      - 17:45 tap milk
      - 17:55 exit shop
      - 18:00 set protein.current = 80
      - 18:05 unlock

    # Expectations. Windows include their start and not their end.
    #   fires    REMINDER fires once · fires 3 times · fires at least 2 times · fires at 17:42 on day 2 ·
    #            fires once between 17:40 and 17:45 · never · never during 22:00-07:00 ·
    #            fires at 02:30 +01:00 on 2026-10-25 (the second one, in the night the clocks go back)
    #   endings  is denied by REASON · is deferred by quietHours until 07:00 ·
    #            is not requested because conditionFailed · is lost to pendingLimit · shows "Buy milk" twice
    #   metrics  tapThrough >= 25 % · fires <= 10 · REMINDER fires < 3
    #   gates    gate tapThrough passes · gate tapThrough kills · gate tapThrough is inconclusive
    #   the app  milestone NAME is reached once · priming CONTEXT is shown · prompt is shown once ·
    #            settings banner is never shown · surface NAME is dismissed twice
    #   lists    {only: [milk]}: nothing else fires · {exact: [milk at 17:40 on day 2]}: these, and no others
    expect:
      - milk fires once at 17:40 on day 2
      - milk is not requested because conditionFailed on day 1
      - milk never during 22:00-07:00
      - tapThrough >= 25 %
      - only: [milk, account, protein]

    """
}
