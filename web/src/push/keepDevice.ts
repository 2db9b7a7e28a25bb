import type { ApolloClient } from "@apollo/client";
import { token } from "../api/session";
import { deviceOf, hasKey, subscribe, subscriptionHere, unsubscribe } from "./browser";
import { AddNoticeDeviceDocument, NoticeDevicesDocument } from "./Devices.generated";

let keptFor = "";

/**
 * Once per session and start of the app: renews the device of a browser with pushes, so that it belongs to the present session and has the present key of
 * the server. Ends the subscription if the device was removed, or belongs to somebody else who used the browser. Browsers without pushes send
 * nothing. A failure is repaired at the next start.
 */
export async function keepDevice(client: ApolloClient): Promise<void> {
  if (keptFor === token()) return;
  keptFor = token();
  const subscription = await subscriptionHere();
  if (!subscription) return;
  const { data } = await client.query({ query: NoticeDevicesDocument, fetchPolicy: "no-cache" });
  if (!data) return;
  const { publicKey, devices } = data.noticeDevices;
  if (!publicKey || !devices.some(({ endpoint }) => endpoint === subscription.endpoint)) return unsubscribe();
  const present = hasKey(subscription, publicKey) ? subscription : await subscribe(publicKey);
  if (present)
    await client.mutate({ mutation: AddNoticeDeviceDocument, variables: { input: deviceOf(present) } });
}
