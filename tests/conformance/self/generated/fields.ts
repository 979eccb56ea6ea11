/** Defects in fields: each field of each place with each fault. */
import type { Json } from '../../../../contract/src/model.ts';
import { type Fault, listFaults, plant } from './faults.ts';
import { type Library, Memory } from './memory.ts';
import { type Mutant, placeOfResponse, placeOfWebhook, readSubject } from './mutant.ts';
import { type Field, PLACES, type Shown } from './places.ts';

export const FIELD_MUTANTS: readonly Mutant[] = PLACES.flatMap((place) =>
  place.fields.flatMap((field) => listFaults(place, field).map((fault) => createMutant(place, field, fault))),
);

function createMutant(place: Shown, field: Field, fault: Fault): Mutant {
  return {
    id: `field/${place.id}/${field.path.join('.')}/${fault}`,
    fault,
    wrong: { place, field, fault },
    alter({ library }, note) {
      const show = planting(place, field, fault, library);
      return {
        response({ status, body }, { operation, headers }) {
          const shown = placeOfResponse(operation, status, body);
          if (shown && show(shown, body, readSubject(body, headers['authorization'] ?? ''))) note();
        },
        webhook({ body }) {
          const shown = placeOfWebhook(body);
          if (shown && show(shown, body, readSubject(body, ''))) note();
          return undefined;
        },
      };
    },
    wouldShow({ library, bodies }) {
      const show = planting(place, field, fault, library);
      return bodies.some((one) => show(one.place, structuredClone(one.body), one.subject));
    },
  };
}

/** Plants the fault in each body of the place. Returns whether it changed one. */
function planting(place: Shown, field: Field, fault: Fault, library: Library) {
  const memory = new Memory(library);
  return (shown: Shown, body: Json | undefined, subject: string): boolean => {
    memory.note(body, shown, subject);
    return shown === place && plant(fault, field, { body, place, memory, subject });
  };
}
