// Maps between the two ids of a story: the engine's id, which is the id of the founding item, and
// the public id. A story from the store has its public id in the engine too, and needs no entry.
import { isStoryId } from './story-id.ts';

export type StoryIdMap = ReturnType<typeof openStoryIdMap>;

export function openStoryIdMap() {
  const publicIds = new Map<string, string>();
  const engineIds = new Map<string, string>();
  const dropEngine = (engineId: string): void => {
    const publicId = publicIds.get(engineId);
    publicIds.delete(engineId);
    if (publicId !== undefined) engineIds.delete(publicId);
  };
  return {
    /** Null: the engine has founded the story, which has no public id yet. */
    publicOf: (engineId: string) =>
      publicIds.get(engineId) ?? (isStoryId(engineId) ? engineId : null),
    engineOf: (publicId: string) => engineIds.get(publicId) ?? publicId,
    set(engineId: string, publicId: string): void {
      dropEngine(engineId);
      const before = engineIds.get(publicId);
      if (before !== undefined) publicIds.delete(before);
      if (engineId === publicId) return;
      publicIds.set(engineId, publicId);
      engineIds.set(publicId, engineId);
    },
    /** The story no longer exists; its engine id may be reused. */
    drop(publicId: string): void {
      const engineId = engineIds.get(publicId);
      if (engineId !== undefined) dropEngine(engineId);
    },
    dropEngine,
    engineIds: (): readonly string[] => [...publicIds.keys()],
  };
}
