/** A service that answers with the document's examples, chosen by `Prefer`; it keeps the contract, unless told to err. */
import { successes } from '../../contract/src/model.ts';
import { type Answer, contract, documentedAnswer, type Request, type Service, serve } from './http.ts';

export interface Defect {
  /** Changes what a sound service would answer. */
  alter?: (answer: Answer, request: Request) => Answer;
  acceptsAnyKey?: boolean;
  acceptsAnyBody?: boolean;
}

export function startStateless(defect: Defect = {}): Promise<Service> {
  return serve((request) => {
    const answer = soundAnswer(request, defect);
    return defect.alter?.(answer, request) ?? answer;
  });
}

function soundAnswer(request: Request, defect: Defect): Answer {
  const { operation, headers, text } = request;
  if (!headers['authorization'] && !defect.acceptsAnyKey) return documentedAnswer(operation, '401');
  if (operation.request && !defect.acceptsAnyBody) {
    const mistakes = contract.validator(operation.request.schema)(JSON.parse(text));
    if (mistakes.length > 0) return documentedAnswer(operation, '400');
  }
  const prefer = String(headers['prefer'] ?? '');
  const code = /code=(\d+)/.exec(prefer)?.[1] ?? successes(operation)[0]?.status ?? '';
  return documentedAnswer(operation, code, /example=([\w-]+)/.exec(prefer)?.[1]);
}
