// Defines the kinds of events: their frequency, the generator of their facts, the figures that may
// be contradicted, and possible follow-up events.
import * as business from './facts/business-facts.ts';
import type { Draft, EventContext } from './facts/event-context.ts';
import * as law from './facts/law-facts.ts';
import * as products from './facts/product-facts.ts';
import type { Category } from './world-model.ts';

export type FollowUp = {
  readonly type: string;
  /** Days after the first event, minimum and maximum. */
  readonly after: readonly [number, number];
  readonly chance: number;
};

export type EventType = {
  readonly category: Category;
  /** Relative frequency; 0 for events that only follow another. */
  readonly weight: number;
  readonly make: (context: EventContext) => Draft | null;
  /** Slots of figures on which reports may disagree. */
  readonly disputable: readonly string[];
  readonly followUps?: readonly FollowUp[];
  /** Newsworthiness: added to the number of reports. */
  readonly interest: number;
};

const launchFollowUps: readonly FollowUp[] = [{ type: 'benchmark', after: [3, 6], chance: 0.25 }];

export const eventTypes: Readonly<Record<string, EventType>> = {
  'launch-model': {
    category: 'ai-models',
    weight: 46,
    make: products.launchModel,
    interest: 1.4,
    disputable: ['speedup', 'context'],
    followUps: launchFollowUps,
  },
  'launch-app': {
    category: 'ai-products',
    weight: 50,
    make: products.launchApp,
    interest: 0,
    disputable: ['users'],
  },
  'launch-hardware': {
    category: 'ai-products',
    weight: 20,
    make: products.launchHardware,
    interest: 0.8,
    disputable: ['gain', 'power'],
  },
  'price-cut': {
    category: 'ai-products',
    weight: 24,
    make: products.priceCut,
    interest: 0.6,
    disputable: [],
  },
  'price-rise': {
    category: 'ai-products',
    weight: 9,
    make: products.priceRise,
    interest: 0.4,
    disputable: [],
  },
  outage: {
    category: 'ai-products',
    weight: 26,
    make: products.outage,
    interest: 0.5,
    disputable: ['duration', 'affected'],
    followUps: [{ type: 'postmortem', after: [3, 6], chance: 0.4 }],
  },
  postmortem: {
    category: 'ai-products',
    weight: 0,
    make: products.postmortem,
    interest: -0.6,
    disputable: [],
  },
  benchmark: {
    category: 'ai-models',
    weight: 22,
    make: products.benchmark,
    interest: 0,
    disputable: ['before'],
  },
  security: {
    category: 'ai-products',
    weight: 20,
    make: products.security,
    interest: 0.3,
    disputable: ['notice'],
  },
  deprecation: {
    category: 'ai-products',
    weight: 12,
    make: products.deprecation,
    interest: -0.8,
    disputable: ['notice'],
  },
  milestone: {
    category: 'ai-products',
    weight: 14,
    make: products.milestone,
    interest: -0.4,
    disputable: ['users'],
  },
  funding: {
    category: 'industry',
    weight: 36,
    make: business.funding,
    interest: 0.6,
    disputable: ['amount', 'valuation'],
  },
  acquisition: {
    category: 'industry',
    weight: 22,
    make: business.acquisition,
    interest: 0.8,
    disputable: ['amount', 'staff'],
  },
  hire: {
    category: 'industry',
    weight: 24,
    make: business.hire,
    interest: -0.6,
    disputable: ['years'],
  },
  departure: {
    category: 'industry',
    weight: 18,
    make: business.departure,
    interest: 0.2,
    disputable: ['years'],
  },
  partnership: {
    category: 'industry',
    weight: 28,
    make: business.partnership,
    interest: -0.3,
    disputable: ['amount'],
  },
  datacentre: {
    category: 'industry',
    weight: 14,
    make: business.datacentre,
    interest: 0.4,
    disputable: ['capacity', 'jobs'],
  },
  layoffs: {
    category: 'industry',
    weight: 12,
    make: business.layoffs,
    interest: 0.8,
    disputable: ['jobs'],
  },
  earnings: {
    category: 'industry',
    weight: 16,
    make: business.earnings,
    interest: 0.2,
    disputable: ['share'],
  },
  survey: {
    category: 'industry',
    weight: 10,
    make: business.survey,
    interest: -0.8,
    disputable: ['sample'],
  },
  lawsuit: {
    category: 'industry',
    weight: 22,
    make: law.lawsuit,
    interest: 0.6,
    disputable: ['damages'],
    followUps: [{ type: 'ruling', after: [6, 12], chance: 0.5 }],
  },
  ruling: {
    category: 'industry',
    weight: 0,
    make: law.ruling,
    interest: 0.5,
    disputable: [],
    followUps: [{ type: 'settlement', after: [5, 9], chance: 0.5 }],
  },
  settlement: {
    category: 'industry',
    weight: 0,
    make: law.settlement,
    interest: 0.3,
    disputable: ['amount'],
  },
  probe: {
    category: 'industry',
    weight: 20,
    make: law.probe,
    interest: 0.4,
    disputable: ['deadline'],
    followUps: [{ type: 'fine', after: [7, 13], chance: 0.5 }],
  },
  fine: {
    category: 'industry',
    weight: 0,
    make: law.fine,
    interest: 0.7,
    disputable: ['amount'],
  },
  rule: {
    category: 'industry',
    weight: 11,
    make: law.rule,
    interest: 0.5,
    disputable: ['months'],
  },
  rumour: {
    category: 'industry',
    weight: 18,
    make: law.rumour,
    interest: 0,
    disputable: [],
    followUps: [
      { type: 'denial', after: [4, 7], chance: 0.5 },
      { type: 'confirmation', after: [4, 9], chance: 0.7 },
    ],
  },
  denial: {
    category: 'industry',
    weight: 0,
    make: law.denial,
    interest: 0,
    disputable: [],
  },
  confirmation: {
    category: 'industry',
    weight: 0,
    make: law.confirmation,
    interest: 0.8,
    disputable: [],
  },
  paper: {
    category: 'paper',
    weight: 44,
    make: law.paper,
    interest: -0.9,
    disputable: ['gain'],
  },
};
