import type { BrowserAction } from "@rea/core";
import { until, type Deadline } from "./deadline.js";
import { hasLocator } from "./locate.js";
import type { PageControl } from "./page-control.js";
import type { ScenarioPage } from "./scenario-page.js";
import type { Secrets } from "./secrets.js";
import { StepFailed } from "./step-failed.js";

export interface ActionHost {
  readonly page: ScenarioPage;
  readonly control: PageControl;
  readonly secrets: Secrets;
}

/** Does one action and waits for what it sets off. Throws `StepFailed`. */
export async function performAction(action: BrowserAction, host: ActionHost, deadline: Deadline): Promise<void> {
  await act(action, host, deadline);
  if (action.type !== "wait_for" && action.type !== "wait_for_timeout") await host.page.settle(deadline);
  host.page.check();
}

function act(action: BrowserAction, { page, control, secrets }: ActionHost, deadline: Deadline): Promise<void> {
  switch (action.type) {
    case "goto":
      return page.goto(action.url, deadline);
    case "click":
      return control.click(action, deadline);
    case "fill": {
      const { secret_env: secret, value = "" } = action;
      return control.fill(action, secret === undefined ? value : secrets.of(secret), { deadline, masked: secret !== undefined });
    }
    case "press":
      return control.press(hasLocator(action) ? action : null, action.key, deadline);
    case "select_option":
      return control.select(action, action.values, deadline);
    case "check":
    case "uncheck":
      return control.check(action, action.type === "check", deadline);
    case "wait_for":
      return control.waitFor(action, action.state, deadline);
    case "wait_for_timeout":
      return passTime(action.ms, deadline);
  }
}

/** The scenario's own time limit holds; that of a step does not, since the wait was asked for. */
async function passTime(ms: number, deadline: Deadline): Promise<void> {
  const end = performance.now() + ms;
  await until({ ...deadline, at: Number.POSITIVE_INFINITY }, () => {
    if (deadline.failure === "time_limit" && performance.now() >= deadline.at) throw new StepFailed("time_limit");
    return Promise.resolve(performance.now() >= end ? null : new StepFailed("timeout"));
  });
}
