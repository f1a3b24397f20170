// Maps between the two ids of a story: the engine's, after the item that founded it, and the public
// one. A story from the store has its public id in the engine too, and needs no entry.
import { isStoryId } from './story-id.ts';

export type Names = {
  /** Null: the engine has founded the story, which has no public id yet. */
  publicOf(engineName: string): string | null;
  engineOf(publicId: string): string;
  set(engineName: string, publicId: string): void;
  /** The story no longer exists; its engine id may be reused. */
  drop(publicId: string): void;
  dropEngine(engineName: string): void;
  engineNames(): readonly string[];
};

export function openNames(): Names {
  const publicIds = new Map<string, string>();
  const engineNames = new Map<string, string>();
  const dropEngine = (engineName: string): void => {
    const publicId = publicIds.get(engineName);
    publicIds.delete(engineName);
    if (publicId !== undefined) engineNames.delete(publicId);
  };
  return {
    publicOf: (engineName) =>
      publicIds.get(engineName) ?? (isStoryId(engineName) ? engineName : null),
    engineOf: (publicId) => engineNames.get(publicId) ?? publicId,
    set(engineName, publicId) {
      dropEngine(engineName);
      const before = engineNames.get(publicId);
      if (before !== undefined) publicIds.delete(before);
      if (engineName === publicId) return;
      publicIds.set(engineName, publicId);
      engineNames.set(publicId, engineName);
    },
    drop(publicId) {
      const engineName = engineNames.get(publicId);
      if (engineName !== undefined) dropEngine(engineName);
    },
    dropEngine,
    engineNames: () => [...publicIds.keys()],
  };
}
