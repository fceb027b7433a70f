export {
  createFakeProvider,
  fakeAvailable,
  fakeSupported,
  fakeUnavailable,
  fakeUnsupported,
  type FakeAnswer,
  type FakeProvider,
  type FakeProviderOptions,
} from "./fake-provider.js";
