//! Badges as verifiers check them: keys, signatures, revocation, and what a badge says.

use std::sync::Arc;

use kurso_certificate::badge::{PublicJwk, identity_hash, is_revoked, verify};
use kurso_core::Kurso;
use kurso_core::certificates::Certificates;

use super::*;

/// The keys as a verifier reads them.
async fn keys(kurso: &Kurso) -> Vec<PublicJwk> {
    let jwks = certificates::jwks(kurso, &Origin::default()).await.unwrap();
    let keys = jwks["keys"].as_array().unwrap().iter();
    keys.map(|key| PublicJwk::from_json(&key.to_string()).unwrap())
        .collect()
}

/// The badge of a certificate, verified by the keys of a node.
async fn badge(kurso: &Kurso, who: &Viewer, id: CertificateId) -> Value {
    let jwt = certificates::badge(kurso, who, id).await.unwrap();
    verify(&jwt, &keys(kurso).await).unwrap()
}

/// Whether the status list says that a badge is revoked.
async fn has_bit(kurso: &Kurso, badge: &Value) -> bool {
    let status = &badge["credentialStatus"];
    let address = status["statusListCredential"].as_str().unwrap();
    let number = address.strip_prefix("https://kurso.example/c/status/").unwrap();
    let list = certificates::status_list(kurso, &Origin::default(), number.parse().unwrap())
        .await
        .unwrap();
    let list = verify(&list, &keys(kurso).await).unwrap();
    assert_eq!(list["id"], *address);
    let index = status["statusListIndex"].as_str().unwrap();
    is_revoked(&list, index.parse().unwrap()).unwrap()
}

/// A node with another secret.
async fn with_secret(kurso: &TestKurso, secret: &[u8]) -> Kurso {
    let mut node = Arc::into_inner(kurso.another_node().await).unwrap();
    node.certificates = Certificates::new(secret).unwrap();
    node
}

both! {
    async fn a_badge_is_verified_by_the_published_keys(kurso: TestKurso) {
        let world = World::of(&kurso).await;
        world.design(&kurso, json!({"valid_months": 12})).await;
        let issued = world.issue(&kurso, &world.anna).await.unwrap();
        assert!(keys(&kurso).await.is_empty(), "no key is made before it is needed");
        let jwt = certificates::badge(&kurso, &world.anna, issued.id).await.unwrap();
        let badge = verify(&jwt, &keys(&kurso).await).unwrap();
        let page = format!("https://kurso.example/c/{}", issued.id);
        assert_eq!((badge["id"].as_str(), badge["issuer"]["id"].as_str()), (Some(&*page), Some("https://kurso.example/c/issuer")));
        assert_eq!(badge["credentialSubject"]["achievement"]["name"], "Курс");
        assert_eq!(badge["validFrom"], issued.awarded_at.to_rfc3339_opts(chrono::SecondsFormat::Secs, true));
        assert_eq!(badge["validUntil"], issued.expires_at.unwrap().to_rfc3339_opts(chrono::SecondsFormat::Secs, true));
        // What its addresses answer is what it says.
        let achievement = certificates::achievement(&kurso, &Origin::default(), issued.id).await.unwrap();
        for member in ["id", "name", "criteria", "creator"] {
            assert_eq!(achievement[member], badge["credentialSubject"]["achievement"][member]);
        }
        assert_eq!(certificates::issuer(&kurso)["name"], "kurso.example");
        let key = keys(&kurso).await.remove(0);
        let jwk = certificates::jwk(&kurso, &Origin::default(), key.id()).await.unwrap();
        assert_eq!(jwk["kid"], format!("https://kurso.example/c/keys/{}", key.id()));
        assert!(matches!(certificates::jwk(&kurso, &Origin::default(), "nonsense").await, Err(Error::NotFound(_))));
        // A changed badge is refused.
        let mut forged = jwt.clone().into_bytes();
        let at = jwt.find('.').unwrap() + 20;
        forged[at] = if forged[at] == b'A' { b'B' } else { b'A' };
        assert!(verify(&String::from_utf8(forged).unwrap(), &keys(&kurso).await).is_err());
        assert_eq!(certificates::badge(&kurso, &world.anna, issued.id).await.unwrap(), jwt, "the same badge is the same text");
    }

    async fn a_badge_says_what_the_holder_shows(kurso: TestKurso) {
        let world = World::of(&kurso).await;
        let issued = world.issue(&kurso, &world.anna).await.unwrap();
        sql!("UPDATE certificates SET grade = '5 (92,5 %)'").execute(&kurso.db).await.unwrap();
        let named = badge(&kurso, &world.anna, issued.id).await;
        let identifiers = named["credentialSubject"]["identifier"].as_array().unwrap();
        let email = identifiers.iter().find(|identifier| identifier["identityType"] == "emailAddress").unwrap();
        let salt = email["salt"].as_str().unwrap();
        assert_eq!(email["identityHash"], identity_hash("anna@example.com", salt));
        let text = named.to_string();
        assert!(text.contains("anna") && !text.contains("92,5") && !text.contains("anna@"), "{text}");
        let to = command(json!({"is_name_shown": false, "is_grade_shown": true}));
        certificates::set_privacy(&kurso, &world.anna, issued.id, to).await.unwrap();
        let badge = badge(&kurso, &world.anna, issued.id).await;
        let text = badge.to_string();
        assert!(!text.contains("anna") && text.contains("92,5"), "{text}");
        assert!(badge["credentialSubject"]["identifier"].is_null(), "nothing of the person");
    }

    async fn the_status_list_follows_revoking_restoring_and_reissuing(kurso: TestKurso) {
        let world = World::of(&kurso).await;
        let issued = world.issue(&kurso, &world.anna).await.unwrap();
        let first = badge(&kurso, &world.anna, issued.id).await;
        assert!(!has_bit(&kurso, &first).await);
        revoke(&kurso, &world.owner, issued.id).await.unwrap();
        assert!(has_bit(&kurso, &first).await);
        certificates::restore(&kurso, &world.owner, issued.id).await.unwrap();
        assert!(!has_bit(&kurso, &first).await);
        let anna = renamed(&kurso, &world.anna, Some("Другая")).await;
        let new = certificates::reissue(&kurso, &anna, issued.id).await.unwrap();
        let second = badge(&kurso, &anna, new.id).await;
        assert!(has_bit(&kurso, &first).await && !has_bit(&kurso, &second).await);
        kurso_core::users::delete_me(&kurso, &anna).await.unwrap();
        assert!(has_bit(&kurso, &first).await && has_bit(&kurso, &second).await);
        assert!(matches!(certificates::status_list(&kurso, &Origin::default(), 2).await, Err(Error::NotFound(_))));
        // The list is byte-identical within a minute, so that caches can keep it.
        let list = certificates::status_list(&kurso, &Origin::default(), 1).await.unwrap();
        kurso.clock.advance(Duration::seconds(30));
        assert_eq!(certificates::status_list(&kurso, &Origin::default(), 1).await.unwrap(), list);
    }

    async fn nodes_that_make_a_key_at_the_same_time_use_the_same(kurso: TestKurso) {
        let world = World::of(&kurso).await;
        let issued = world.issue(&kurso, &world.anna).await.unwrap();
        let other = kurso.another_node().await;
        let nodes = [&kurso.kurso, &other, &kurso.kurso, &other];
        let badges = join_all(nodes.map(|node| certificates::badge(node, &world.anna, issued.id))).await;
        let keys = keys(&kurso).await;
        assert_eq!(keys.len(), 1);
        for badge in badges {
            verify(&badge.unwrap(), &keys).unwrap();
        }
        require_sound(&kurso).await;
    }

    async fn another_secret_makes_a_new_key_and_old_badges_stay_verifiable(kurso: TestKurso) {
        let world = World::of(&kurso).await;
        let issued = world.issue(&kurso, &world.anna).await.unwrap();
        let old = certificates::badge(&kurso, &world.anna, issued.id).await.unwrap();
        let node = with_secret(&kurso, b"another secret key of 32 or more bytes").await;
        let new = certificates::badge(&node, &world.anna, issued.id).await.unwrap();
        let keys = keys(&node).await;
        assert_eq!(keys.len(), 2);
        let of = |jwt: &str| verify(jwt, &keys).unwrap();
        assert_eq!(of(&old), of(&new), "the same badge, signed by two keys");
        assert!(verify(&old, &keys[..1]).is_err() && verify(&new, &keys[1..]).is_err());
        // The status list of the old badge is signed by the new key.
        revoke(&kurso, &world.owner, issued.id).await.unwrap();
        assert!(has_bit(&node, &of(&old)).await);
        // While both secrets are in use, each node keeps its key.
        certificates::restore(&kurso, &world.owner, issued.id).await.unwrap();
        assert_eq!(certificates::badge(&kurso, &world.anna, issued.id).await.unwrap(), old);
        assert_eq!(certificates::badge(&node, &world.anna, issued.id).await.unwrap(), new);
        require_sound(&kurso).await;
        // The stored keys are no use without a secret.
        let sealed = sql!("SELECT sealed FROM signing_keys").fetch_all::<(Vec<u8>,)>(&kurso.db).await.unwrap();
        assert!(sealed.iter().all(|(bytes,)| bytes.len() == 12 + 32 + 16));
        // A damaged key is not used.
        sql!("UPDATE signing_keys SET sealed = $1", vec![7_u8; 60]).execute(&kurso.db).await.unwrap();
        certificates::badge(&kurso, &world.anna, issued.id).await.unwrap();
        assert_eq!(self::keys(&kurso).await.len(), 3);
    }
}
