//! Badges from signing to verification.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::Error;

fn key(byte: u8) -> SigningKey {
    SigningKey::from_bytes(&[byte; 32]).unwrap()
}

fn badge() -> Badge {
    Badge {
        id: "https://kurso.example/c/1".into(),
        issuer: Issuer {
            id: "https://kurso.example/c/issuer".into(),
            name: "Школа".into(),
            url: "https://kurso.example/".into(),
            keys: "https://kurso.example/c/keys".into(),
        },
        recipient: Recipient {
            name: Some("Мария Кузнецова".into()),
            email: Some(RecipientEmail {
                address: "Maria@school.example".into(),
                salt: "s".into(),
            }),
        },
        achievement: Achievement {
            id: "https://kurso.example/c/courses/5".into(),
            name: "Основы Rust".into(),
            description: "О языке.".into(),
            criteria: "Пройти курс.".into(),
            image: None,
        },
        valid_from: "2025-11-30T09:30:15.987Z".parse().unwrap(),
        valid_until: Some("2028-11-30T09:30:15Z".parse().unwrap()),
        grade: Some("92 %".into()),
        status: Status {
            list: "https://kurso.example/c/status/1".into(),
            index: 7,
        },
    }
}

fn list() -> StatusList {
    let Badge {
        issuer,
        valid_from,
        status,
        ..
    } = badge();
    StatusList {
        id: status.list,
        issuer,
        valid_from,
        valid_until: None,
    }
}

#[test]
fn a_signed_badge_verifies_to_its_credential() {
    let key = key(7);
    let jwt = sign(&badge(), &key).unwrap();
    assert_eq!(jwt, sign(&badge(), &key).unwrap(), "equal bytes");
    let old = self::key(8);
    assert_eq!(
        verify(&jwt, &[old.public().clone(), key.public().clone()]),
        Ok(credential(&badge()))
    );
    assert_eq!(verify(&jwt, &[old.public().clone()]), Err(Error::UnknownKey));
    assert_eq!(verify(&jwt, &[]), Err(Error::UnknownKey));
}

#[test]
fn claims_repeat_the_credential() {
    let jwt = sign(&badge(), &key(7)).unwrap();
    let payload: serde_json::Value =
        serde_json::from_slice(&BASE64.decode(jwt.split('.').nth(1).unwrap()).unwrap()).unwrap();
    assert_eq!(payload["iss"], payload["issuer"]["id"]);
    assert_eq!(payload["jti"], "https://kurso.example/c/1");
    assert_eq!(payload["sub"], "https://kurso.example/c/1#holder");
    assert_eq!(
        (&payload["nbf"], &payload["validFrom"]),
        (&json!(1_764_495_015), &json!("2025-11-30T09:30:15Z"))
    );
    assert_eq!(
        (&payload["exp"], &payload["validUntil"]),
        (&json!(1_859_189_415), &json!("2028-11-30T09:30:15Z"))
    );
}

#[test]
fn the_badge_shows_only_what_the_holder_shows() {
    let shown = credential(&badge()).to_string();
    assert!(
        shown.contains("Мария") && shown.contains("92 %") && !shown.to_lowercase().contains("maria@"),
        "{shown}"
    );
    let hidden = Badge {
        recipient: Recipient::default(),
        grade: None,
        ..badge()
    };
    let hidden = credential(&hidden);
    assert!(!hidden.to_string().contains("Мария"));
    let members: Vec<&String> = hidden["credentialSubject"].as_object().unwrap().keys().collect();
    assert_eq!(members, ["achievement", "id", "type"]);
}

#[test]
fn identities_are_hashed_with_their_salt() {
    // printf maria@school.examples | sha256sum
    let hash = "sha256$76029ab68d55aa6535316f881fb7ba669086c9c5856e6f7829b42510a412b023";
    assert_eq!(identity_hash("maria@school.example", "s"), hash);
    let said = &credential(&badge())["credentialSubject"]["identifier"][0];
    assert_eq!(said["identityHash"], hash);
    assert_ne!(
        identity_hash("maria@school.example", "s"),
        identity_hash("maria@school.example", "t")
    );
}

#[test]
fn other_tokens_are_refused() {
    let key = key(7);
    let keys = [key.public().clone()];
    let signed = |header: serde_json::Value, payload: &str| {
        let signed = format!("{}.{}", BASE64.encode(header.to_string()), BASE64.encode(payload));
        format!("{signed}.{}", BASE64.encode(key.sign(&signed)))
    };
    let payload = credential(&badge()).to_string();
    let header = |alg: &str| json!({ "alg": alg, "kid": key.id() });
    let missing = Err(Error::Token("the claims differ from the credential"));
    assert_eq!(verify(&signed(header("ES256"), &payload), &keys), missing);
    assert!(verify(&signed(header("none"), &payload), &keys).is_err());
    assert!(verify(&signed(header("HS256"), &payload), &keys).is_err());
    assert!(verify(&signed(json!({ "alg": "ES256" }), &payload), &keys).is_err());
    for payload in ["[]", "null", "1", "\"a\"", "{}", "no JSON"] {
        assert!(verify(&signed(header("ES256"), payload), &keys).is_err(), "{payload}");
    }
    for token in ["", ".", "..", "a.b.c", "....", "é.é.é"] {
        assert!(verify(token, &keys).is_err(), "{token}");
    }
}

#[test]
fn keys_survive_json() {
    let public = key(7).public().clone();
    let text = serde_json::to_string(&public).unwrap();
    assert_eq!(PublicJwk::from_json(&text), Ok(public.clone()));
    assert_eq!(serde_json::from_str::<PublicJwk>(&text).unwrap(), public);
    let address = jwk("https://kurso.example/c/keys", &public);
    assert_eq!(address["kid"], format!("https://kurso.example/c/keys/{}", public.id()));
    assert_eq!(PublicJwk::from_json(&address.to_string()), Ok(public.clone()));
    assert_eq!(
        jwks("k", [&public, key(8).public()])["keys"].as_array().unwrap().len(),
        2
    );
    assert!(
        !format!("{:?}", key(7)).contains("07"),
        "the private key is not printed"
    );
}

#[test]
fn what_is_no_key_is_refused() {
    for bytes in [&[][..], &[7; 31], &[7; 33], &[0; 32], &[0xff; 32]] {
        assert_eq!(SigningKey::from_bytes(bytes).err(), Some(Error::Key));
    }
    let whole = serde_json::to_value(key(7).public()).unwrap();
    for (member, value) in [
        ("kty", "RSA"),
        ("crv", "P-384"),
        ("x", "AAAA"),
        ("y", "!"),
        ("alg", "RS256"),
        ("use", "enc"),
    ] {
        let mut changed = whole.clone();
        changed[member] = value.into();
        assert_eq!(PublicJwk::from_json(&changed.to_string()), Err(Error::Key), "{member}");
    }
    let mut off_curve = whole.clone();
    off_curve["x"] = whole["y"].clone();
    assert_eq!(PublicJwk::from_json(&off_curve.to_string()), Err(Error::Key));
}

#[test]
fn a_status_list_revokes_its_badges() {
    let key = key(7);
    let revoked = [0, 7, 8, 90_000, STATUS_LIST_LENGTH - 1];
    let jwt = sign_status_list(&list(), revoked, &key).unwrap();
    let verified = verify(&jwt, &[key.public().clone()]).unwrap();
    assert_eq!(Ok(&verified), status_list(&list(), revoked).as_ref());
    let found: Vec<u32> = (0..STATUS_LIST_LENGTH)
        .step_by(1)
        .filter(|index| is_set(&verified, *index))
        .collect();
    assert_eq!(found, revoked);
    assert_eq!(
        is_revoked(&verified, STATUS_LIST_LENGTH),
        Err(Error::StatusIndex(STATUS_LIST_LENGTH))
    );
}

/// Only the numbers near the revoked ones: each look at a list unpacks it.
fn is_set(list: &serde_json::Value, index: u32) -> bool {
    let is_near = index < 20 || (89_990..90_010).contains(&index) || index > STATUS_LIST_LENGTH - 20;
    is_near && is_revoked(list, index).unwrap()
}

#[test]
fn numbers_beyond_the_list_are_an_error() {
    let badge = Badge {
        status: Status {
            index: STATUS_LIST_LENGTH,
            ..badge().status
        },
        ..badge()
    };
    assert_eq!(sign(&badge, &key(7)), Err(Error::StatusIndex(STATUS_LIST_LENGTH)));
    assert_eq!(status_list(&list(), [u32::MAX]), Err(Error::StatusIndex(u32::MAX)));
    for list in [
        json!({}),
        json!({ "credentialSubject": { "encodedList": "u!" } }),
        credential(&self::badge()),
    ] {
        assert_eq!(is_revoked(&list, 0), Err(Error::StatusList));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn a_changed_character_is_refused(at in any::<prop::sample::Index>(), to in "[A-Za-z0-9_.-]") {
        let key = key(7);
        let jwt = sign(&badge(), &key).unwrap();
        let at = at.index(jwt.len());
        let mut changed = jwt.clone();
        changed.replace_range(at..=at, &to);
        prop_assume!(changed != jwt);
        prop_assert!(verify(&changed, &[key.public().clone()]).is_err());
    }

    #[test]
    fn any_text_is_refused_without_panic(token in "\\PC*\\.?\\PC*\\.?\\PC*") {
        prop_assert!(verify(&token, &[key(7).public().clone()]).is_err());
    }
}
