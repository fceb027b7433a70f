import type { ScenarioEnvironment } from "@rea/core";
import { CommandRefused } from "../protocol/connection.js";
import type { TargetSession } from "../protocol/target-session.js";

/** Gives a page, or a frame of another process, the environment of the scenario; goes with the session. */
export async function emulate(session: TargetSession, { viewport, locale, timezone, color_scheme: scheme, reduced_motion: motion }: ScenarioEnvironment, { main, userAgent }: { readonly main: boolean; readonly userAgent: string }): Promise<void> {
  if (viewport !== undefined && main) {
    const { width, height, device_scale_percent: percent } = viewport;
    await session.tell("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: percent / 100, mobile: false });
  }
  const features = [
    ...(scheme === undefined ? [] : [{ name: "prefers-color-scheme", value: scheme }]),
    ...(motion === undefined ? [] : [{ name: "prefers-reduced-motion", value: motion }]),
  ];
  if (features.length > 0) await session.tell("Emulation.setEmulatedMedia", { features });
  if (timezone !== undefined) await session.tell("Emulation.setTimezoneOverride", { timezoneId: timezone });
  if (locale === undefined) return;
  await session.tell("Emulation.setLocaleOverride", { locale: locale.replaceAll("-", "_") }).catch(onlyOnce);
  await session.tell("Emulation.setUserAgentOverride", { userAgent, acceptLanguage: locale });
}

/** A process has one locale; frames of other processes may share one that has it already. */
function onlyOnce(error: unknown): void {
  if (!(error instanceof CommandRefused)) throw error;
}

