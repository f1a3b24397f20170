import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../src/kernel/time/durations.ts';
import { buildWorld } from './build-world.ts';
import { truthOf } from './expected-stories.ts';
import { publisherOf } from './publishers.ts';
import { skeletonsOf } from './skeletons.ts';
import type { WorldEntry } from './world-model.ts';

const now = Date.parse('2026-11-21T06:00:00Z');
const world = buildWorld({ seed: 1, now });
const past = world.entries.filter((entry) => entry.at <= now);
const truth = truthOf(world);
const textOf = (entry: WorldEntry) => entry.paragraphs.join('\n');

describe('the demonstration world', () => {
  it('is equal for equal seed and time, and differs for another seed', () => {
    expect(buildWorld({ seed: 1, now })).toEqual(world);
    expect(buildWorld({ seed: 2, now }).entries[0]?.title).not.toBe(world.entries[0]?.title);
  });

  it('spans forty days before now and ten after, at any hour and date', () => {
    for (const at of [
      now,
      Date.parse('2027-03-01T00:10:00Z'),
      Date.parse('2024-02-29T23:59:00Z'),
    ]) {
      const { events, entries } = buildWorld({ seed: 5, now: at });
      const days = events.map((event) => (event.at - at) / DAY_MS);
      expect(Math.floor(Math.min(...days))).toBeOneOf([-41, -40]);
      expect(Math.floor(Math.max(...days))).toBeOneOf([9, 10]);
      expect(entries.filter((entry) => entry.at <= at).length).toBeGreaterThan(1200);
      expect(entries.filter((entry) => entry.at > at).length).toBeGreaterThan(200);
    }
  });

  it('has at least eight events in the last 24 hours, on any day of the week', () => {
    for (const day of [0, 1, 2, 3, 4, 5, 6]) {
      const at = now + day * DAY_MS;
      const { events } = buildWorld({ seed: 1, now: at });
      const recent = events.filter((event) => event.at <= at && event.at > at - DAY_MS);
      expect(recent.length, `day ${day}`).toBeGreaterThanOrEqual(8);
    }
  });

  it('has the documented numbers of companies, products and events', () => {
    const principals = world.companies.filter((company) => company.people.length > 1);
    expect(principals.length).toBe(29);
    expect(principals.flatMap((company) => company.products).length).toBe(70);
    const pastEvents = world.events.filter((event) => event.at <= now);
    expect(pastEvents.length).toBeGreaterThan(400);
    expect(new Set(pastEvents.map((event) => event.type)).size).toBeGreaterThanOrEqual(25);
  });

  it('scales with the number of requested items', () => {
    const larger = buildWorld({ seed: 1, now, items: 6000 });
    const entryCount = larger.entries.filter((entry) => entry.at <= now).length;
    expect(entryCount).toBeGreaterThan(5000);
    expect(entryCount).toBeLessThan(8000);
  });

  it('has slow days and one big day', () => {
    const byDay = Map.groupBy(world.events, (event) => Math.floor((now - event.at) / DAY_MS));
    const counts = [...byDay.values()].map((events) => events.length).sort((a, b) => a - b);
    expect(counts[0]).toBeLessThanOrEqual(5);
    expect(counts.at(-1)).toBeGreaterThanOrEqual(30);
    expect(counts.at(-2)).toBeLessThanOrEqual(25);
  });
});

describe('reports', () => {
  const reports = world.entries.filter(
    (entry) => entry.kind === 'report' && entry.republicationOf === null,
  );
  const byEvent = Map.groupBy(reports, (entry) => entry.eventId);

  it('are one to nine per event, each by another publisher', () => {
    expect([...byEvent.keys()].sort()).toEqual(world.events.map((event) => event.id).sort());
    for (const eventReports of byEvent.values()) {
      expect(eventReports.length).toBeLessThanOrEqual(9);
      expect(new Set(eventReports.map((entry) => entry.publisherId)).size).toBe(
        eventReports.length,
      );
    }
  });

  it('never share a headline across events', () => {
    const owners = new Map<string, string>();
    for (const entry of world.entries) {
      for (const title of [entry.title, ...entry.edits.map((edit) => edit.title)]) {
        expect(owners.get(title) ?? entry.eventId, title).toBe(entry.eventId);
        owners.set(title, entry.eventId);
      }
    }
  });

  it('have mostly different headlines for one event', () => {
    const originals = [...byEvent.values()].map((eventReports) =>
      eventReports.filter((entry) => entry.copyOf === null),
    );
    const repeatedTitles = originals.filter(
      (eventReports) =>
        new Set(eventReports.map((entry) => entry.title)).size < eventReports.length,
    );
    expect(repeatedTitles.length / originals.length).toBeLessThan(0.05);
  });

  it('have no sentence pattern in more than one of 150 reports', () => {
    for (const lang of ['en', 'zh-CN'] as const) {
      const originals = past.filter((entry) => {
        const isOriginal = entry.copyOf === null && entry.republicationOf === null;
        return entry.lang === lang && entry.kind === 'report' && isOriginal;
      });
      const skeletons = originals.flatMap((entry) => skeletonsOf(textOf(entry), world.companies));
      const counts = Map.groupBy(skeletons, (skeleton) => skeleton);
      const mostFrequent = [...counts.values()].sort((a, b) => b.length - a.length)[0] ?? [];
      expect(mostFrequent.length / skeletons.length, mostFrequent[0]).toBeLessThan(1 / 150);
      expect(counts.size / skeletons.length).toBeGreaterThan(0.3);
    }
  });

  it('contain no template marks and read as whole sentences', () => {
    for (const entry of world.entries) {
      const text = `${entry.title}\n${textOf(entry)}`;
      expect(text).not.toMatch(/[{}[\]|]|undefined|NaN|(?<!\.)\.\.(?!\.)|。。| {2}/);
      expect(entry.paragraphs.length).toBeGreaterThan(0);
    }
  });

  it('have at least two sentences outside forums, and nearly always three', () => {
    const texts = past.filter((entry) => publisherOf(entry.publisherId).voice !== 'forum');
    const counts = texts.map((entry) => textOf(entry).match(/[.?!。？！]/g)?.length ?? 0);
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(2);
    expect(
      counts.filter((sentenceCount) => sentenceCount > 2).length / counts.length,
    ).toBeGreaterThan(0.95);
  });

  it('are in Chinese where they say so, which is about a third of them', () => {
    const chinese = past.filter((entry) => entry.lang === 'zh-CN');
    expect(chinese.length / past.length).toBeGreaterThan(0.25);
    expect(chinese.length / past.length).toBeLessThan(0.45);
    for (const entry of chinese) {
      const text = textOf(entry);
      const han = text.match(/\p{Script=Han}/gu) ?? [];
      expect(han.length, text).toBeGreaterThan(15);
      const textWithoutNotes = text.replace(/（[^）]*）|《[^》]*》/gu, '');
      expect(textWithoutNotes).not.toMatch(/\b(?:the|and|of|with|said)\b/);
      expect(text).not.toMatch(/\p{Script=Han}[,.;](?:\p{Script=Han}|$)/mu);
    }
    for (const entry of past.filter((entry) => entry.lang === 'en')) {
      const textWithoutNotes = textOf(entry).replace(/ \(\p{Script=Han}+\)/gu, '');
      expect(textWithoutNotes).not.toMatch(/\p{Script=Han}/u);
    }
  });
});

describe('the recorded truth', () => {
  it('covers every entry', () => {
    expect(truth.entries.map((entry) => entry.entryKey)).toEqual(
      world.entries.map((entry) => entry.key),
    );
    expect(new Set(truth.entries.map((entry) => entry.entryKey)).size).toBe(world.entries.length);
  });

  it('has over sixty contradictions and thirty revisions that the texts show', () => {
    const byKey = new Map(world.entries.map((entry) => [entry.key, entry]));
    const kinds = Map.groupBy(truth.planted, (figure) => figure.kind);
    expect(kinds.get('contradiction')?.length).toBeGreaterThan(60);
    expect(kinds.get('revision')?.length).toBeGreaterThan(30);
    for (const figure of truth.planted) {
      const values = new Set(figure.statements.map((statement) => statement.value));
      const owners = new Set(figure.statements.map((statement) => statement.owner));
      expect(values.size, figure.id).toBe(2);
      expect(owners.size, figure.id).toBeGreaterThan(1);
      const events = figure.statements.map(({ entryKey }) => byKey.get(entryKey)?.eventId);
      expect(new Set(events).size).toBe(1);
    }
  });

  it('has no contradictions except the planted ones', () => {
    const planted = new Set(truth.planted.map((figure) => figure.id.slice(2)));
    const byEvent = Map.groupBy(world.entries, (entry) => entry.eventId);
    for (const [id, entries] of byEvent) {
      if (planted.has(id)) continue;
      const valueBySlot = new Map<string, number>();
      for (const entry of entries) {
        for (const [slot, value] of Object.entries(entry.figures)) {
          if (value.kind === 'text') continue;
          expect(valueBySlot.get(slot) ?? value.value, `${id} ${slot}`).toBe(value.value);
          valueBySlot.set(slot, value.value);
        }
      }
    }
  });

  it('has storylines, pairs that are easily confused, rumours confirmed and denied', () => {
    const lines = Map.groupBy(world.events, (event) => event.storylineId);
    const longStorylines = [...lines.values()].filter((events) => events.length > 1);
    expect(longStorylines.length).toBeGreaterThan(30);
    const confusable = world.events.filter((event) => event.confusableWith !== null);
    expect(confusable.length).toBeGreaterThan(15);
    const types = new Set(world.events.map((event) => event.type));
    expect(types).toContain('confirmation');
    expect(types).toContain('denial');
  });

  it('has copies, edits, withdrawals, republications, roundups and single articles', () => {
    expect(past.filter((entry) => entry.copyOf !== null).length).toBeGreaterThan(30);
    expect(past.filter((entry) => entry.edits.length > 0).length).toBeGreaterThan(5);
    expect(past.filter((entry) => entry.withdrawnAt !== null).length).toBeGreaterThan(5);
    expect(past.filter((entry) => entry.republicationOf !== null).length).toBe(25);
    expect(past.filter((entry) => entry.kind === 'roundup').length).toBeGreaterThan(10);
    expect(past.filter((entry) => entry.kind === 'single').length).toBeGreaterThan(25);
    for (const entry of world.entries) {
      if (entry.copyOf === null) continue;
      const original = world.entries.find((candidate) => candidate.key === entry.copyOf);
      expect(original?.eventId).toBe(entry.eventId);
      expect(publisherOf(entry.publisherId).copies).toBe(original?.publisherId);
      expect(original?.at).toBeLessThanOrEqual(entry.at);
    }
  });
});
